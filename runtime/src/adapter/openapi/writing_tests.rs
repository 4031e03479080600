use super::*;
use serde_json::json;

fn styled(style: Style, explode: bool) -> Writing {
    Writing::Styled {
        style,
        explode,
        allow_reserved: false,
    }
}

fn query(value: Value, writing: &Writing) -> String {
    pairs("p", &value, writing).join("&")
}

#[test]
fn path_styles_are_those_of_the_specification() {
    let list = json!(["blue", "black,brown"]);
    let map = json!({"R": 100, "G": 200});
    for (style, explode, one, several, object) in [
        (
            Style::Simple,
            false,
            "blue",
            "blue,black%2Cbrown",
            "R,100,G,200",
        ),
        (
            Style::Simple,
            true,
            "blue",
            "blue,black%2Cbrown",
            "R=100,G=200",
        ),
        (
            Style::Label,
            false,
            ".blue",
            ".blue,black%2Cbrown",
            ".R,100,G,200",
        ),
        (
            Style::Label,
            true,
            ".blue",
            ".blue.black%2Cbrown",
            ".R=100.G=200",
        ),
        (
            Style::Matrix,
            false,
            ";color=blue",
            ";color=blue,black%2Cbrown",
            ";color=R,100,G,200",
        ),
        (
            Style::Matrix,
            true,
            ";color=blue",
            ";color=blue;color=black%2Cbrown",
            ";R=100;G=200",
        ),
        (
            Style::PIPES,
            false,
            "blue",
            "blue%7Cblack%2Cbrown",
            "R%7C100%7CG%7C200",
        ),
    ] {
        let writing = styled(style, explode);
        assert_eq!(in_path("color", &json!("blue"), &writing), one);
        assert_eq!(in_path("color", &list, &writing), several);
        assert_eq!(in_path("color", &map, &writing), object);
        assert_eq!(in_path("color", &json!([]), &writing), "");
        assert_eq!(in_path("color", &Value::Null, &writing), "");
    }
    assert_eq!(
        in_path("c", &json!(""), &styled(Style::Matrix, false)),
        ";c"
    );
    assert_eq!(
        in_path("c", &json!({"a": 1}), &Writing::Json),
        "%7B%22a%22%3A1%7D"
    );
    assert_eq!(
        in_path("c", &json!("a/b?c#d%"), &styled(Style::Simple, false)),
        "a%2Fb%3Fc%23d%25"
    );
}

#[test]
fn query_styles_are_those_of_the_specification() {
    let list = json!(["a", "b,c"]);
    let map = json!({"R": 1, "x y": "é"});
    for (style, explode, several, object) in [
        (Style::COMMAS, true, "p=a&p=b%2Cc", "R=1&x%20y=%C3%A9"),
        (Style::COMMAS, false, "p=a,b%2Cc", "p=R,1,x%20y,%C3%A9"),
        (
            Style::SPACES,
            false,
            "p=a%20b%2Cc",
            "p=R%201%20x%20y%20%C3%A9",
        ),
        (
            Style::PIPES,
            false,
            "p=a%7Cb%2Cc",
            "p=R%7C1%7Cx%20y%7C%C3%A9",
        ),
        (Style::PIPES, true, "p=a&p=b%2Cc", "R=1&x%20y=%C3%A9"),
        (
            Style::TABS,
            false,
            "p=a%09b%2Cc",
            "p=R%091%09x%20y%09%C3%A9",
        ),
        (
            Style::DeepObject,
            true,
            "p%5B%5D=a&p%5B%5D=b%2Cc",
            "p%5BR%5D=1&p%5Bx%20y%5D=%C3%A9",
        ),
    ] {
        let writing = styled(style, explode);
        assert_eq!(query(list.clone(), &writing), several);
        assert_eq!(query(map.clone(), &writing), object);
        assert_eq!(query(json!([]), &writing), "");
        assert_eq!(query(json!({}), &writing), "");
        assert_eq!(query(Value::Null, &writing), "");
        assert_eq!(query(json!(""), &writing), "p=");
        assert_eq!(query(json!(true), &writing), "p=true");
        assert_eq!(query(json!(5.0), &writing), "p=5");
        assert_eq!(query(json!(0.25), &writing), "p=0.25");
    }
}

#[test]
fn deep_objects_go_as_deep_as_they_are() {
    let writing = styled(Style::DeepObject, true);
    assert_eq!(
        query(
            json!({"created": {"gte": 1}, "tags": ["x", "y"], "items": [{"id": 1}, {"id": 2}], "none": null}),
            &writing
        ),
        "p%5Bcreated%5D%5Bgte%5D=1&p%5Btags%5D%5B%5D=x&p%5Btags%5D%5B%5D=y&p%5Bitems%5D%5B0%5D%5Bid%5D=1&p%5Bitems%5D%5B1%5D%5Bid%5D=2"
    );
}

#[test]
fn reserved_characters_stay_where_that_is_allowed_but_never_end_the_value() {
    let writing = Writing::Styled {
        style: Style::COMMAS,
        explode: true,
        allow_reserved: true,
    };
    assert_eq!(
        query(json!("a/b:c?d=e&f#g[h] i+%2F 5%"), &writing),
        "p=a/b:c?d=e%26f%23g%5Bh%5D%20i%2B%2F%205%25"
    );
}

#[test]
fn content_parameters_are_json_and_headers_are_not_encoded() {
    assert_eq!(
        query(json!({"a": [1]}), &Writing::Json),
        "p=%7B%22a%22%3A%5B1%5D%7D"
    );
    let simple = styled(Style::Simple, false);
    assert_eq!(in_header(&json!(["a b", 1]), &simple).unwrap(), "a b,1");
    assert_eq!(
        in_header(&json!({"a": 1}), &styled(Style::Simple, true)).unwrap(),
        "a=1"
    );
    assert_eq!(in_header(&Value::Null, &simple), None);
}
