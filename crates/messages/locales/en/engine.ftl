### Why a meeting was stopped, beside the kind of fault.

engine-too-long = longer than { $seconds } s
engine-damaged-event = event { $seq } cannot be read: { $detail }
engine-conflict = there are { $found } events where { $expected } were expected
engine-invariant = event { $seq } ({ $event }) would break the invariant { $invariant }
