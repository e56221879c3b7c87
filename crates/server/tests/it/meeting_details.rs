//! What a meeting is called and how its times are shown: at its creation, later, in lists, in its log and in exports.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access::generous;
use crate::access_server::App;

async fn create(app: &App, more: Value) -> String {
    let mut new = json!({ "topic": "Is SQLite enough?", "lang": "en", "simulate": true, "seed": 5 });
    new.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let made = app.ask(Method::POST, "/meetings", &[], Some(new)).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.body);
    made.text("id")
}

async fn see(app: &App, path: &str) -> Value {
    let answer = app.ask(Method::GET, path, &[], None).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    answer.body
}

async fn change(app: &App, id: &str, body: Value) -> (StatusCode, Value) {
    let answer = app.ask(Method::PATCH, &format!("/meetings/{id}"), &[], Some(body)).await;
    (answer.status, answer.body)
}

#[tokio::test]
async fn a_meeting_is_called_and_shown_as_was_chosen() {
    let app = App::alone(generous()).await;
    let id = create(
        &app,
        json!({
            "title": "Store choice", "description": "Which store the service begins with",
            "display": { "time_zone": "asia/tokyo", "date_format": "d.M.yyyy" },
        }),
    )
    .await;
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!((&view["title"], &view["topic"]), (&json!("Store choice"), &json!("Is SQLite enough?")));
    assert_eq!(view["description"], "Which store the service begins with");
    assert_eq!(view["display"], json!({ "time_zone": "Asia/Tokyo", "date_format": "d.M.yyyy" }));
    for found in ["q=store%20choice", "q=sqlite", "q=begins"] {
        let list = see(&app, &format!("/meetings?{found}")).await;
        assert_eq!(list["items"][0]["title"], "Store choice", "{found}");
        assert_eq!(list["items"][0]["description"], "Which store the service begins with");
    }

    let (status, body) = change(&app, &id, json!({ "topic": "Is a file enough?" })).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(
        see(&app, &format!("/meetings/{id}")).await["title"],
        "Store choice",
        "it does not follow the topic"
    );
    let body = json!({ "title": null, "display": { "time_zone": null, "time_format": "12h" } });
    assert_eq!(change(&app, &id, body.clone()).await.0, StatusCode::OK);
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!(view["title"], "Is a file enough?");
    assert_eq!(view["description"], "Which store the service begins with", "what is left out stays");
    assert_eq!(view["display"], json!({ "time_format": "12h", "date_format": "d.M.yyyy" }));
    let seq = view["last_seq"].clone();
    assert_eq!(change(&app, &id, body).await.0, StatusCode::OK);
    assert_eq!(
        see(&app, &format!("/meetings/{id}")).await["last_seq"],
        seq,
        "nothing changed, nothing is noted"
    );

    let log = see(&app, &format!("/meetings/{id}/log?limit=200")).await;
    let events =
        log.as_str().expect("lines").lines().map(|line| serde_json::from_str(line).expect("an event"));
    let changed: Vec<Value> = events.filter(|one: &Value| one["type"] == "details_changed").collect();
    assert_eq!(changed.len(), 1);
    assert_eq!(changed[0]["payload"]["by"]["name"], "owner");
    assert_eq!(see(&app, "/meetings").await["items"][0]["title"], "Is a file enough?");
}

#[tokio::test]
async fn what_cannot_be_is_refused_with_its_field() {
    let app = App::alone(generous()).await;
    let id = create(&app, json!({})).await;
    for (body, field) in [
        (json!({ "title": "x".repeat(201) }), "/title"),
        (json!({ "description": "x".repeat(201) }), "/description"),
        (json!({ "display": { "time_zone": "Mars/Olympus" } }), "/display/time_zone"),
        (json!({ "display": { "time_format": "13h" } }), "/display/time_format"),
        (json!({ "display": { "date_format": "soon" } }), "/display/date_format"),
        (json!({ "display": { "colour": "red" } }), "/display/colour"),
    ] {
        let (status, problem) = change(&app, &id, body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["pointer"], field, "{problem}");
        let mut new = json!({ "topic": "x", "simulate": true });
        new.as_object_mut().expect("an object").extend(body.as_object().expect("an object").clone());
        let refused = app.ask(Method::POST, "/meetings", &[], Some(new)).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], field, "{}", refused.body);
    }
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!((view.get("description"), view.get("display")), (None, None));
}

#[tokio::test]
async fn an_export_shows_times_as_the_meeting_does() {
    let app = App::alone(generous()).await;
    let chosen =
        json!({ "time_zone": "Pacific/Kiritimati", "time_format": "12h", "date_format": "yyyy/MM/dd" });
    let id = create(&app, json!({ "title": "Tides", "description": "By the sea", "display": chosen })).await;
    let said = json!({ "content": "Let us begin." });
    let path = format!("/meetings/{id}/messages");
    assert_eq!(app.ask(Method::POST, &path, &[], Some(said)).await.status, StatusCode::ACCEPTED);
    let text = see(&app, &format!("/meetings/{id}/export?format=markdown")).await;
    let text = text.as_str().expect("Markdown");
    assert!(text.starts_with("# Tides\n"), "{text}");
    assert!(text.contains("By the sea") && text.contains("**Topic:** Is SQLite enough?"), "{text}");
    assert!(text.contains("Time zone: Pacific/Kiritimati"), "{text}");
    let line = text.lines().find(|line| line.contains("[m1]")).expect("what was said");
    assert!(line.contains('/') && (line.ends_with(" AM") || line.ends_with(" PM")), "{line}");
    let page = see(&app, &format!("/meetings/{id}/export?format=html")).await;
    assert!(page.as_str().expect("HTML").contains("\"time_zone\":\"Pacific/Kiritimati\""));
}

#[tokio::test]
async fn an_export_tells_times_in_the_zone_that_its_reader_asks_for() {
    let app = App::alone(generous()).await;
    let id = create(&app, json!({})).await;
    let said = json!({ "content": "Let us begin." });
    let path = format!("/meetings/{id}/messages");
    assert_eq!(app.ask(Method::POST, &path, &[], Some(said)).await.status, StatusCode::ACCEPTED);
    let export = |query: String| {
        let (app, path) = (&app, format!("/meetings/{id}/export?{query}"));
        async move { see(app, &path).await.as_str().expect("a text").to_owned() }
    };
    let text = export("format=markdown".to_owned()).await;
    assert!(text.contains("Time zone: UTC"), "{text}");
    let text = export("format=markdown&time_zone=pacific/kiritimati".to_owned()).await;
    assert!(text.contains("Time zone: Pacific/Kiritimati"), "{text}");
    let page = export("format=html&time_zone=Pacific/Kiritimati".to_owned()).await;
    assert!(page.contains("\"time_zone\":\"Pacific/Kiritimati\""));
    let page = export("format=html".to_owned()).await;
    assert!(!page.contains("\"time_zone\":"), "it tells them in the zone of whoever opens it");
    let chosen = json!({ "display": { "time_zone": "Asia/Tokyo" } });
    assert_eq!(change(&app, &id, chosen).await.0, StatusCode::OK);
    assert!(export("format=markdown".to_owned()).await.contains("Time zone: Asia/Tokyo"));
    let text = export("format=markdown&time_zone=UTC".to_owned()).await;
    assert!(text.contains("Time zone: UTC"), "the reader comes first: {text}");
    for wrong in ["Mars/Olympus", "", "EST5EDT,M3.2.0"] {
        let path = format!("/meetings/{id}/export?format=markdown&time_zone={wrong}");
        let refused = app.ask(Method::GET, &path, &[], None).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}: {}", refused.body);
        assert_eq!(refused.body["errors"][0]["pointer"], "/time_zone", "{}", refused.body);
    }
}

#[tokio::test]
async fn a_fork_is_called_after_the_title() {
    let app = App::alone(generous()).await;
    let id = create(&app, json!({ "title": "Stores", "display": { "time_format": "12h" } })).await;
    let forked = app.ask(Method::POST, &format!("/meetings/{id}/fork"), &[], Some(json!({}))).await;
    assert_eq!(forked.status, StatusCode::CREATED, "{}", forked.body);
    let fork = forked.text("id");
    let view = see(&app, &format!("/meetings/{fork}")).await;
    assert_eq!(
        (&view["title"], &view["display"]),
        (&json!("Stores (fork)"), &json!({ "time_format": "12h" }))
    );
    assert_eq!(change(&app, &fork, json!({ "topic": "Another?" })).await.0, StatusCode::OK);
    assert_eq!(see(&app, &format!("/meetings/{fork}")).await["title"], "Stores (fork)");
    assert_eq!(change(&app, &fork, json!({ "title": "Stores" })).await.0, StatusCode::OK);
    assert_eq!(see(&app, &format!("/meetings/{fork}")).await["title"], "Stores");
    let list = see(&app, "/meetings").await;
    assert_eq!(list["items"][0]["title"], "Stores", "the list says the same");
}

#[tokio::test]
async fn meetings_are_tagged_and_found_by_their_tags_and_renamed_after_their_end_too() {
    let app = App::alone(generous()).await;
    let rules = json!({ "limits": { "max_rounds": 1 } });
    let id = create(&app, json!({ "title": "Stores", "rules": rules })).await;
    let other = create(&app, json!({})).await;
    let seq = see(&app, &format!("/meetings/{id}")).await["last_seq"].clone();
    let tags = json!({ "tags": [" Road  map ", "q3", "ROAD MAP", "100%"] });
    assert_eq!(change(&app, &id, tags).await.0, StatusCode::OK);
    assert_eq!(change(&app, &other, json!({ "tags": ["q33"] })).await.0, StatusCode::OK);
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!(view["tags"], json!(["Road map", "q3", "100%"]));
    assert_eq!(view["last_seq"], seq, "they are no part of the log");
    for (tag, found) in [("Q3", 1), ("q33", 1), ("road%20map", 1), ("road", 0), ("100%25", 1), ("1%25", 0)] {
        let list = see(&app, &format!("/meetings?tag={tag}")).await;
        assert_eq!(list["items"].as_array().map(Vec::len), Some(found), "{tag}: {list}");
    }
    assert_eq!(see(&app, "/meetings?tag=q3").await["items"][0]["tags"], view["tags"]);
    let many: Vec<String> = (0..11).map(|number| format!("tag {number}")).collect();
    for (tags, field) in
        [(json!(["x".repeat(41)]), "/tags/0"), (json!(["fine", " "]), "/tags/1"), (json!(many), "/tags")]
    {
        let (status, problem) = change(&app, &id, json!({ "tags": tags })).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert_eq!(problem["errors"][0]["pointer"], field, "{problem}");
    }
    assert_eq!(see(&app, &format!("/meetings/{id}")).await["tags"], view["tags"], "refused is not done");

    for _ in 0..20 {
        let on = Some(json!({ "until": "end", "take_defaults": true }));
        let on = app.ask(Method::POST, &format!("/meetings/{id}/advance"), &[], on).await;
        if on.body["stopped"] == "over" {
            break;
        }
    }
    let ended = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!((&ended["state"], &ended["tags"]), (&json!("ended"), &view["tags"]));
    let old = app.ask(Method::GET, &format!("/meetings/{id}/report"), &[], None).await;
    let renamed = change(&app, &id, json!({ "title": "Which store", "tags": ["done"] })).await;
    assert_eq!(renamed.0, StatusCode::OK, "{}", renamed.1);
    let known = [("if-none-match", old.headers["etag"].to_str().expect("a tag"))];
    let report = app.ask(Method::GET, &format!("/meetings/{id}/report"), &known, None).await;
    assert_eq!((report.status, &report.body["title"]), (StatusCode::OK, &json!("Which store")));
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!((&view["title"], &view["tags"]), (&json!("Which store"), &json!(["done"])));
    assert_eq!(view["last_seq"], ended["last_seq"], "the log ends with its end");
    for found in ["q=which%20store", "tag=done"] {
        assert_eq!(see(&app, &format!("/meetings?{found}")).await["items"][0]["title"], "Which store");
    }
    let text = see(&app, &format!("/meetings/{id}/export?format=markdown")).await;
    assert!(text.as_str().expect("Markdown").starts_with("# Which store\n"), "{text}");
    // Everything else of a meeting stays as it was at its end.
    let refused = change(&app, &id, json!({ "topic": "Another?", "title": "Mine", "tags": ["new"] })).await;
    assert_eq!(refused.0, StatusCode::CONFLICT, "{}", refused.1);
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!((&view["title"], &view["tags"]), (&json!("Which store"), &json!(["done"])), "all or nothing");
    assert_eq!(change(&app, &id, json!({ "title": null, "tags": [] })).await.0, StatusCode::OK);
    let view = see(&app, &format!("/meetings/{id}")).await;
    assert_eq!((&view["title"], view.get("tags")), (&json!("Is SQLite enough?"), None));
    let off = create(&app, json!({ "off_record": true })).await;
    let refused = change(&app, &off, json!({ "tags": ["x"] })).await;
    assert_eq!((refused.0, &refused.1["current_state"]), (StatusCode::CONFLICT, &json!("off_record")));
}
