//! What can be read of a meeting as resources: its record, report, minutes, artifacts and files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use http::request::Parts;
use percent_encoding::percent_decode_str;
use quorate_messages::{Language, text};
use rmcp::ErrorData;
use rmcp::model::{ListResourcesResult, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Value, json};

use crate::api::{Api, checked, encoded};

/// The beginning of every address.
const SCHEME: &str = "quorate://meetings/";
/// How many meetings one page lists.
const PAGE: usize = 20;
/// The largest file that is handed out as a resource, in bytes.
const FILE_MAX: u64 = 4 << 20;
/// The longest address, in bytes.
const ADDRESS_MAX: usize = 1000;

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";

/// A resource of a meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Address {
    /// What there is of it.
    Meeting {
        meeting: String,
    },
    Record {
        meeting: String,
    },
    Report {
        meeting: String,
    },
    Minutes {
        meeting: String,
    },
    Artifact {
        meeting: String,
        kind: String,
    },
    File {
        meeting: String,
        file: String,
    },
}

impl Address {
    fn parse(uri: &str) -> Option<Self> {
        if uri.len() > ADDRESS_MAX {
            return None;
        }
        let parts = uri.strip_prefix(SCHEME)?.split('/').map(|part| {
            let part = percent_decode_str(part).decode_utf8().ok()?;
            (!part.is_empty()).then(|| part.into_owned())
        });
        let parts: Vec<String> = parts.collect::<Option<_>>()?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let own = str::to_owned;
        match parts[..] {
            [meeting] => Some(Self::Meeting { meeting: own(meeting) }),
            [meeting, "record"] => Some(Self::Record { meeting: own(meeting) }),
            [meeting, "report"] => Some(Self::Report { meeting: own(meeting) }),
            [meeting, "minutes"] => Some(Self::Minutes { meeting: own(meeting) }),
            [meeting, "artifacts", kind] => Some(Self::Artifact { meeting: own(meeting), kind: own(kind) }),
            [meeting, "files", file] => Some(Self::File { meeting: own(meeting), file: own(file) }),
            _ => None,
        }
    }
}

/// The meeting of a resource that changes while the meeting goes on, and can be subscribed to: all but the record, which
/// `get_context` follows, and files, which never change.
pub(crate) fn followed(uri: &str) -> Option<String> {
    match Address::parse(uri)? {
        Address::Meeting { meeting }
        | Address::Report { meeting }
        | Address::Minutes { meeting }
        | Address::Artifact { meeting, .. } => Some(meeting),
        Address::Record { .. } | Address::File { .. } => None,
    }
}

/// The templates of all addresses.
pub(crate) fn templates(language: Language) -> Vec<ResourceTemplate> {
    let template = |below: &str, name: &str, title: &str, description: &str, media: Option<&str>| {
        let template = ResourceTemplate::new(format!("{SCHEME}{{meeting}}{below}"), name)
            .with_title(title)
            .with_description(description);
        match media {
            Some(media) => template.with_mime_type(media),
            None => template,
        }
    };
    vec![
        template(
            "",
            "meeting",
            text!(language, "mcp-resource-meeting-title"),
            text!(language, "mcp-resource-meeting"),
            Some(JSON),
        ),
        template(
            "/record",
            "record",
            text!(language, "mcp-resource-record-title"),
            text!(language, "mcp-resource-record"),
            Some(MARKDOWN),
        ),
        template(
            "/report",
            "report",
            text!(language, "mcp-resource-report-title"),
            text!(language, "mcp-resource-report"),
            Some(MARKDOWN),
        ),
        template(
            "/minutes",
            "minutes",
            text!(language, "mcp-resource-minutes-title"),
            text!(language, "mcp-resource-minutes"),
            Some(MARKDOWN),
        ),
        template(
            "/artifacts/{kind}",
            "artifact",
            text!(language, "mcp-resource-artifact-title"),
            text!(language, "mcp-resource-artifact"),
            Some(JSON),
        ),
        template(
            "/files/{file}",
            "file",
            text!(language, "mcp-resource-file-title"),
            text!(language, "mcp-resource-file"),
            None,
        ),
    ]
}

/// The way to the API for one request of a client.
pub(crate) struct Reader<'a> {
    pub(crate) api: &'a dyn Api,
    pub(crate) caller: Option<&'a Parts>,
    pub(crate) language: Language,
}

impl Reader<'_> {
    async fn bytes(&self, uri: &str, path: String) -> Result<Vec<u8>, ErrorData> {
        let not_there = |told: String| ErrorData::resource_not_found(told, Some(json!({ "uri": uri })));
        let response = self.api.send(self.caller, Method::GET, path, None).await;
        let response = response.map_err(|told| ErrorData::internal_error(told, None))?;
        if response.is_success() {
            return Ok(response.bytes);
        }
        let status = response.status;
        let told = checked(response, self.language).err().unwrap_or_default();
        Err(match status {
            404 | 422 => not_there(told),
            500.. => ErrorData::internal_error(told, None),
            _ => ErrorData::invalid_request(told, None),
        })
    }

    async fn json(&self, uri: &str, path: String) -> Result<Value, ErrorData> {
        let bytes = self.bytes(uri, path).await?;
        serde_json::from_slice(&bytes).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    /// A page of the meetings that the caller may see, each with its record and its report.
    pub(crate) async fn list(&self, cursor: Option<&str>) -> Result<ListResourcesResult, ErrorData> {
        let cursor = cursor.map(|cursor| format!("&cursor={}", encoded(cursor))).unwrap_or_default();
        let page = self.json(SCHEME, format!("/meetings?limit={PAGE}{cursor}")).await.map_err(|error| {
            // A list has no address that is not there; a cursor may be wrong.
            let hint = text!(self.language, "mcp-list-without-cursor");
            ErrorData::invalid_params(format!("{}\n{hint}", error.message), None)
        })?;
        let mut resources = Vec::new();
        for meeting in page["items"].as_array().into_iter().flatten() {
            let id = meeting["id"].as_str().unwrap_or_default();
            let title = meeting["title"].as_str().unwrap_or_default();
            let one = |below: &str, kind: &str, description: &str, media: &str| {
                Resource::new(format!("{SCHEME}{}{below}", encoded(id)), format!("{id}{below}"))
                    .with_title(format!("{kind}: {title}"))
                    .with_description(description)
                    .with_mime_type(media)
            };
            let language = self.language;
            resources.push(one(
                "",
                text!(language, "mcp-resource-meeting-title"),
                text!(language, "mcp-resource-meeting"),
                JSON,
            ));
            resources.push(one(
                "/record",
                text!(language, "mcp-resource-record-title"),
                text!(language, "mcp-resource-record"),
                MARKDOWN,
            ));
            resources.push(one(
                "/report",
                text!(language, "mcp-resource-report-title"),
                text!(language, "mcp-resource-report"),
                MARKDOWN,
            ));
        }
        let mut listed = ListResourcesResult::with_all_items(resources);
        listed.next_cursor = page["next_cursor"].as_str().map(str::to_owned);
        Ok(listed)
    }

    /// A resource.
    pub(crate) async fn read(&self, uri: &str) -> Result<ResourceContents, ErrorData> {
        let Some(address) = Address::parse(uri) else {
            let known: Vec<String> =
                templates(self.language).into_iter().map(|template| template.uri_template).collect();
            let known = known.join(text!(self.language, "common-list-separator"));
            let told = text!(self.language, "mcp-no-such-resource", known);
            return Err(ErrorData::resource_not_found(
                told,
                Some(json!({ "uri": uri.chars().take(ADDRESS_MAX).collect::<String>() })),
            ));
        };
        let markdown = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            ResourceContents::text(text, uri).with_mime_type(MARKDOWN)
        };
        let json = |value: &Value| ResourceContents::text(format!("{value:#}"), uri).with_mime_type(JSON);
        match address {
            Address::Meeting { meeting } => Ok(json(&self.contents(uri, &meeting).await?)),
            Address::Record { meeting } => {
                let path = format!("/meetings/{}/export?format=markdown", encoded(&meeting));
                Ok(markdown(self.bytes(uri, path).await?))
            }
            Address::Report { meeting } => {
                let path = format!("/meetings/{}/report/markdown", encoded(&meeting));
                Ok(markdown(self.bytes(uri, path).await?))
            }
            Address::Minutes { meeting } => {
                let minutes = self.json(uri, format!("/meetings/{}/minutes", encoded(&meeting))).await?;
                let content = minutes["minutes"]["content"].as_str().unwrap_or_default();
                Ok(markdown(content.as_bytes().to_vec()))
            }
            Address::Artifact { meeting, kind } => {
                let kind = kind.to_ascii_uppercase();
                let path = format!("/meetings/{}/artifacts/{}/latest", encoded(&meeting), encoded(&kind));
                Ok(json(&self.json(uri, path).await?))
            }
            Address::File { meeting, file } => self.file(uri, &meeting, &file).await,
        }
    }

    /// What there is of a meeting, with the addresses.
    async fn contents(&self, uri: &str, id: &str) -> Result<Value, ErrorData> {
        let path = format!("/meetings/{}", encoded(id));
        let meeting = self.json(uri, path.clone()).await?;
        let base = format!("{SCHEME}{}", encoded(id));
        let mut addresses = vec![format!("{base}/record"), format!("{base}/report")];
        let minutes = self.json(uri, format!("{path}/minutes/versions")).await?;
        if minutes["items"].as_array().is_some_and(|versions| !versions.is_empty()) {
            addresses.push(format!("{base}/minutes"));
        }
        let artifacts = self.json(uri, format!("{path}/artifacts")).await?;
        let kinds = artifacts["items"].as_array().into_iter().flatten();
        addresses.extend(
            kinds.filter_map(|one| Some(format!("{base}/artifacts/{}", encoded(one["kind"].as_str()?)))),
        );
        let attached = self.json(uri, format!("{path}/files")).await?;
        let files = attached["items"].as_array().into_iter().flatten().map(|file| {
            let address = format!("{base}/files/{}", encoded(file["id"].as_str().unwrap_or_default()));
            json!({ "uri": address, "name": file["name"], "mime_type": file["media_type"], "size": file["size"] })
        });
        Ok(json!({
            "meeting": id,
            "topic": meeting["topic"],
            "state": meeting["state"],
            "resources": addresses,
            "files": files.collect::<Vec<_>>(),
        }))
    }

    async fn file(&self, uri: &str, meeting: &str, file: &str) -> Result<ResourceContents, ErrorData> {
        let path = format!("/meetings/{}/files", encoded(meeting));
        let attached = self.json(uri, path.clone()).await?;
        let mut items = attached["items"].as_array().into_iter().flatten();
        let Some(found) = items.find(|one| one["id"] == file) else {
            let address = format!("{SCHEME}{}", encoded(meeting));
            let told = text!(self.language, "mcp-no-such-file", address);
            return Err(ErrorData::resource_not_found(told, Some(json!({ "uri": uri }))));
        };
        let address = format!("{path}/{}", encoded(file));
        let size = found["size"].as_u64().unwrap_or(u64::MAX);
        if size > FILE_MAX {
            let told = text!(self.language, "mcp-resource-file-too-large", %size, most = %FILE_MAX);
            return Err(ErrorData::invalid_request(told, None));
        }
        let media = found["media_type"].as_str().unwrap_or("application/octet-stream");
        let bytes = self.bytes(uri, address).await?;
        let contents = match String::from_utf8(bytes) {
            Ok(text) if media.starts_with("text/") || media == JSON => ResourceContents::text(text, uri),
            Ok(text) => ResourceContents::blob(STANDARD.encode(text), uri),
            Err(other) => ResourceContents::blob(STANDARD.encode(other.into_bytes()), uri),
        };
        Ok(contents.with_mime_type(media))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_one_thing_of_one_meeting() {
        let meeting = || "m 1".to_owned();
        for (uri, address) in [
            ("quorate://meetings/m%201", Some(Address::Meeting { meeting: meeting() })),
            ("quorate://meetings/m%201/minutes", Some(Address::Minutes { meeting: meeting() })),
            (
                "quorate://meetings/m%201/artifacts/adr",
                Some(Address::Artifact { meeting: meeting(), kind: "adr".to_owned() }),
            ),
            (
                "quorate://meetings/m%201/files/..%2F..%2Faccounts",
                Some(Address::File { meeting: meeting(), file: "../../accounts".to_owned() }),
            ),
            ("quorate://meetings/", None),
            ("quorate://meetings//record", None),
            ("quorate://meetings/a/record/b", None),
            ("file:///etc/passwd", None),
            ("quorate://meetings/%ff", None),
        ] {
            assert_eq!(Address::parse(uri), address, "{uri}");
        }
        assert_eq!(Address::parse(&format!("quorate://meetings/{}", "x".repeat(2000))), None);
    }
}
