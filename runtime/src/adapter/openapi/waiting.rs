//! Services that ask to wait: for how long, and waiting so that the caller sees it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::DateTime;
use reqwest::{
    StatusCode,
    header::{HeaderMap, RETRY_AFTER},
};

use crate::adapter::{CallContext, Progress};

/// How long a service that is too busy asks to wait. `None` when it is not too busy, or does not say.
pub(super) fn asked_to_wait(status: StatusCode, headers: &HeaderMap) -> Option<Duration> {
    if !is_limited(status, headers) && status != StatusCode::SERVICE_UNAVAILABLE {
        return None;
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(after) = text(RETRY_AFTER.as_str()) {
        let after = after.trim();
        return match after.parse::<f64>() {
            Ok(seconds) if seconds >= 0.0 => Duration::try_from_secs_f64(seconds.ceil()).ok(),
            _ => until(DateTime::parse_from_rfc2822(after).ok()?.timestamp()),
        };
    }
    // When the quota is renewed, as many services write it.
    let reset = text("x-ratelimit-reset")?.trim().parse::<i64>().ok()?;
    if !is_limited(status, headers) {
        return None;
    }
    // Small numbers are seconds from now, large ones a time.
    match reset {
        0..=1_000_000 => u64::try_from(reset).ok().map(Duration::from_secs),
        _ => until(reset),
    }
}

/// Whether the service refused because it was asked too often.
pub(super) fn is_limited(status: StatusCode, headers: &HeaderMap) -> bool {
    let exhausted = || {
        headers.contains_key(RETRY_AFTER)
            || headers
                .get("x-ratelimit-remaining")
                .is_some_and(|left| left.as_bytes() == b"0")
    };
    status == StatusCode::TOO_MANY_REQUESTS || (status == StatusCode::FORBIDDEN && exhausted())
}

fn until(timestamp: i64) -> Option<Duration> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let then = Duration::from_secs(u64::try_from(timestamp).ok()?);
    Some(then.saturating_sub(now))
}

/// Waits, and reports it every second, so that the caller's deadline knows that something goes on.
pub(super) async fn wait(
    asked: Duration,
    before: Duration,
    longest: Duration,
    context: &CallContext,
) {
    const STEP: Duration = Duration::from_secs(1);
    let mut waited = Duration::ZERO;
    while waited < asked {
        if let Some(report) = &context.progress {
            report(Progress {
                // Counted from 1, because only what grows is progress.
                progress: 1.0 + (before + waited).as_secs_f64(),
                total: Some(1.0 + longest.as_secs_f64()),
                message: Some(format!(
                    "the service asks to wait {} s",
                    (asked - waited).as_secs_f64().ceil()
                )),
            });
        }
        let step = STEP.min(asked - waited);
        tokio::time::sleep(step).await;
        waited += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(status: u16, headers: &[(&'static str, &str)]) -> Option<u64> {
        let headers = headers
            .iter()
            .map(|(name, value)| {
                (
                    reqwest::header::HeaderName::from_static(name),
                    value.parse().unwrap(),
                )
            })
            .collect();
        asked_to_wait(StatusCode::from_u16(status).unwrap(), &headers).map(|wait| wait.as_secs())
    }

    #[test]
    fn every_way_to_ask_is_understood() {
        assert_eq!(asked(429, &[("retry-after", "3")]), Some(3));
        assert_eq!(asked(429, &[("retry-after", "0.2")]), Some(1));
        assert_eq!(asked(503, &[("retry-after", "7")]), Some(7));
        assert_eq!(
            asked(429, &[("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")]),
            Some(0)
        );
        assert!(
            asked(429, &[("retry-after", "Sat, 06 Nov 2094 08:49:37 GMT")]).unwrap() > 1_000_000
        );
        assert_eq!(asked(429, &[("x-ratelimit-reset", "30")]), Some(30));
        assert_eq!(
            asked(
                403,
                &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "30")]
            ),
            Some(30)
        );
        assert_eq!(asked(403, &[("x-ratelimit-reset", "30")]), None);
        assert_eq!(asked(200, &[("retry-after", "3")]), None);
        assert_eq!(asked(429, &[]), None);
        assert_eq!(asked(429, &[("retry-after", "soon")]), None);
        assert_eq!(asked(429, &[("retry-after", "-1")]), None);
        assert_eq!(asked(429, &[("retry-after", "1e300")]), None);
    }
}
