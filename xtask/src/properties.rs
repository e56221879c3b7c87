//! The 57 properties of the requirements: each has its test, and `docs/properties.md` lists them.
//!
//! A test of a property is a function named by its number (`p07_…`) with the annotation `/// Feature:
//! ai-agent-meeting, Property 7: …` above it, in the crate that can break it.

use std::collections::BTreeMap;

const PAGE: &str = "docs/properties.md";

/// The names of the properties, from 1.
const NAMES: [&str; 57] = [
    "代理创建完整性",
    "代理持久化往返",
    "代理列表完整性",
    "代理更新一致性",
    "代理删除完整性",
    "API 凭证往返",
    "API 错误处理",
    "连接测试响应",
    "角色字段完整性",
    "角色提示词传递",
    "角色描述验证",
    "会议创建要求",
    "发言顺序一致性",
    "会议上下文传递",
    "消息记录增长",
    "轮次递增",
    "暂停状态保持",
    "结束状态持久化",
    "用户消息上下文传递",
    "指定代理响应",
    "空消息拒绝",
    "消息元数据完整性",
    "会议列表完整性",
    "会议加载往返",
    "会议导出格式",
    "会议删除完整性",
    "会议配置接受",
    "轮次限制自动结束",
    "消息长度截断",
    "随机顺序变化",
    "主持人配置完整性",
    "主持人系统提示词增强",
    "会议信息包含主持人",
    "初始议题列表接受",
    "议题动态添加",
    "议题状态管理",
    "议题上下文注入",
    "讨论风格配置",
    "发言长度偏好配置",
    "配置注入系统提示词",
    "配置更新应用",
    "会议结论上下文注入",
    "角色描述上下文注入",
    "主持人职责上下文注入",
    "参会者列表上下文注入",
    "主持人身份上下文注入",
    "纪要生成功能",
    "纪要持久化",
    "纪要优化上下文",
    "纪要后新消息包含",
    "纪要手动编辑",
    "纪要AI更新",
    "纪要版本历史",
    "当前纪要显示",
    "提及解析",
    "提及上下文标注",
    "提及优先发言",
];

/// The tests of each property: `path::function`.
type Found = BTreeMap<usize, Vec<String>>;

/// Looks through all sources. What is named like a property and lacks its annotation is wrong.
fn find(files: &[String]) -> Result<Found, String> {
    let mut found = Found::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (place, line) in lines.iter().enumerate() {
            let Some((number, name)) = property(line) else { continue };
            let above = lines[..place].iter().rev().take_while(|line| line.starts_with(['/', '#']));
            let annotation = format!("/// Feature: ai-agent-meeting, Property {number}: ");
            if !above.into_iter().any(|line| line.starts_with(&annotation)) {
                return Err(format!("{file}: {name} lacks {annotation:?} above it"));
            }
            found.entry(number).or_default().push(format!("{file}::{name}"));
        }
    }
    Ok(found)
}

/// The number and name of a test of a property.
fn property(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("fn p")?;
    let (digits, _) = rest.split_once('_')?;
    let fits = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let name = line.strip_prefix("fn ")?.split('(').next()?;
    Some((digits.parse().ok().filter(|_| fits)?, name))
}

fn page(found: &Found) -> String {
    let mut page = "# Properties\n\nEach is a property test of at least 100 cases. \
        Written by `cargo xtask properties`; a test fails when\none is missing or this page is stale.\n\n\
        | property | name | test |\n|---|---|---|\n"
        .to_owned();
    for (place, name) in NAMES.iter().enumerate() {
        let tests = found.get(&(place + 1)).map(|tests| tests.join("<br>")).unwrap_or_default();
        page.push_str(&format!("| {} | {name} | {tests} |\n", place + 1));
    }
    page
}

/// Checks that each property has its test, and that the page lists it.
pub fn check(files: &[String]) -> Result<(), String> {
    let found = find(files)?;
    let missing: Vec<String> =
        (1..=NAMES.len()).filter(|n| !found.contains_key(n)).map(|n| n.to_string()).collect();
    if !missing.is_empty() {
        return Err(format!("no test for the properties {}", missing.join(", ")));
    }
    match std::fs::read_to_string(PAGE).is_ok_and(|written| written == page(&found)) {
        true => Ok(()),
        false => Err(format!("{PAGE} is stale; run `cargo xtask properties`")),
    }
}

/// Writes the page again.
pub fn write(files: &[String]) -> Result<(), String> {
    let found = find(files)?;
    std::fs::write(PAGE, page(&found)).map_err(|error| format!("{PAGE}: {error}"))
}
