//! Answers of the simulated model: readable, of ordinary length, and never twice the same.

use serde_json::json;

use crate::table::NAMES;

/// An answer of the shape that the request names; prose when it names none.
pub(crate) fn answer(schema: Option<&str>, number: u64) -> String {
    match schema {
        Some("position") => json!({
            "position": format!("Keep one database file until the load says otherwise ({number})."),
            "claims": [format!("Observation {number}: nobody has measured more than forty writes a second.")],
            "confidence": 70,
            "would_change_my_mind": "A measurement of two writers that wait for each other.",
            "unshared_facts": [],
        })
        .to_string(),
        // Never enough to pass, so that all rounds take place.
        Some("vote") => json!({
            "score": 60,
            "pass": false,
            "reason": format!("The draft does not yet say who measures the load, nor when (remark {number})."),
            "missing": ["a measurement under the load of last December"],
        })
        .to_string(),
        Some("summary") => json!({
            "summary": format!("Round note {number}: the table agrees on one file for now and differs on \
                what would have to be measured before anybody moves to a server of its own."),
            "positions": [{ "text": "One file until the load says otherwise.", "holders": NAMES }],
            "draft": format!("Version {number}: keep one database file, measure the writes of each hour, \
                and decide again when two writers wait for each other for more than a second a day."),
        })
        .to_string(),
        Some("facilitation") => json!({
            "disagreements": [format!("Who measures the load, and when ({number}).")],
            "proposed_patch": "Name one person and a date for the measurement.",
            "next_focus": ["Who measures what by when?"],
        })
        .to_string(),
        Some("conclusion") => json!({
            "conclusion": format!("Keep one database file and measure ({number})."),
            "disagreements": [],
            "actions": [{ "what": "Measure the writes of each hour.", "who": NAMES[0], "sources": [] }],
        })
        .to_string(),
        Some(_) | None => prose(number),
    }
}

/// A turn in a discussion: some 300 bytes of words, and the trailer that the prompt asks for. Every
/// fourth raises a claim.
pub(crate) fn prose(number: u64) -> String {
    let claims = match number % 4 {
        0 => vec![format!("Backups of a single file take {number} ms less than those of a server.")],
        _ => Vec::new(),
    };
    let trailer = json!({
        "position": format!("Keep one database file until the load says otherwise ({number})."),
        "confidence": 70,
        "changed_by": null,
        "claims": claims,
    });
    format!(
        "Seen from where I sit (remark {number}), one file is easier to back up, to move and to \
         reason about than a server with users, ports and upgrades. What speaks against it is a \
         second writer, and nobody has shown one yet. I would measure the writes of each hour before \
         anything is moved.\n\n```json\n{trailer}\n```"
    )
}
