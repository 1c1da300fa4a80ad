//! A checker for well-formed XML, as much of it as our pictures use: a stack of tags, quoted attributes, five entities.

use std::collections::BTreeMap;

/// An element, with the classes of the groups around it.
pub struct Element {
    pub name: String,
    pub attrs: BTreeMap<String, String>,
    /// Classes from the outermost group to the element itself.
    pub classes: Vec<String>,
    pub text: String,
}

impl Element {
    pub fn num(&self, key: &str) -> f64 {
        self.attrs[key].parse().unwrap_or_else(|_| panic!("{key}={:?} is not a number", self.attrs[key]))
    }

    pub fn within(&self, class: &str) -> bool {
        self.classes.iter().any(|c| c == class)
    }
}

/// All elements in document order, or what is wrong.
pub fn read(text: &str) -> Result<Vec<Element>, String> {
    let mut found: Vec<Element> = Vec::new();
    let mut stack: Vec<usize> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        content(before, &mut found, &stack)?;
        let (tag, after) = after.split_once('>').ok_or("a tag does not end")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let open = stack.pop().ok_or(format!("</{name}> closes nothing"))?;
            if found[open].name != name {
                return Err(format!("</{name}> closes <{}>", found[open].name));
            }
            continue;
        }
        if stack.is_empty() && !found.is_empty() {
            return Err("more than one root".into());
        }
        let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |t| (t, true));
        let (name, attrs) = tag.split_once(' ').unwrap_or((tag, ""));
        if name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(format!("bad name in <{tag}>"));
        }
        let attrs = attributes(attrs)?;
        let mut classes = stack.last().map_or(Vec::new(), |&i| found[i].classes.clone());
        classes.extend(attrs.get("class").cloned());
        found.push(Element { name: name.into(), attrs, classes, text: String::new() });
        if !empty {
            stack.push(found.len() - 1);
        }
    }
    if !stack.is_empty() || !rest.trim().is_empty() {
        return Err("the end comes too early or too late".into());
    }
    Ok(found)
}

fn content(text: &str, found: &mut [Element], stack: &[usize]) -> Result<(), String> {
    plain(text)?;
    match stack.last() {
        Some(&i) => found[i].text += text,
        None if text.trim().is_empty() => {}
        None => return Err(format!("text outside the root: {text:?}")),
    }
    Ok(())
}

fn attributes(mut text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    while !text.is_empty() {
        let (key, rest) = text.split_once("=\"").ok_or(format!("attribute without a value: {text:?}"))?;
        let (value, rest) = rest.split_once('"').ok_or(format!("value of {key} does not end"))?;
        plain(value)?;
        if key.is_empty() || key.contains(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
            return Err(format!("bad attribute name {key:?}"));
        }
        if found.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(format!("{key} is given twice"));
        }
        text = match rest.strip_prefix(' ') {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => return Err(format!("no blank before {rest:?}")),
        };
    }
    Ok(found)
}

/// No control characters, no bare `&`.
fn plain(text: &str) -> Result<(), String> {
    if let Some(c) = text.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t') {
        return Err(format!("forbidden character {c:?}"));
    }
    for after in text.split('&').skip(1) {
        if !["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|e| after.starts_with(e)) {
            return Err(format!("bare & before {after:?}"));
        }
    }
    Ok(())
}
