//! The team that the rules put together when no facilitator can.

/// A team for any topic: name, role, what it looks at.
pub(super) const TEAM_ZH: &[(&str, &str, &str)] = &[
    ("常青", "用户代言人", "只从使用者的真实处境出发，问这个想法解决谁的什么问题。"),
    ("陆远", "跨界者", "从别的行业借来做法，提出不寻常的组合。"),
    ("苏行", "实干者", "把想法变成明天就能试的一步，关心成本与时间。"),
    ("魏然", "质疑者", "找出最站不住脚的假设，并给出替代方案。"),
    ("何新", "未来派", "设想五年之后，什么会变得理所当然。"),
    ("顾言", "极简派", "删到不能再删，看最小的版本是什么。"),
];
/// A team for any topic: name, role, what it looks at.
pub(super) const TEAM_EN: &[(&str, &str, &str)] = &[
    (
        "Uma",
        "Voice of the user",
        "Starts from the situation of those who would use it: whose problem, which one.",
    ),
    ("Leo", "Borrower", "Brings what works in other trades, and proposes unusual combinations."),
    ("Max", "Maker", "Turns an idea into a step that can be tried tomorrow; minds cost and time."),
    ("Vera", "Doubter", "Finds the assumption that holds least, and offers another way."),
    ("Noa", "Futurist", "Imagines what will be taken for granted in five years."),
    ("Finn", "Minimalist", "Takes away until nothing more can be taken away."),
];
