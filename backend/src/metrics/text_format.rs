//! Converts OpenMetrics to the text format of Prometheus (0.0.4).
//!
//! The library writes OpenMetrics only, which tools for the older format misread: there the name of
//! a counter includes `_total`, and units and the type `info` do not exist. Verified by `promtool
//! check metrics`.

/// Converts metrics to the older format.
pub(super) fn of_open_metrics(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    // `HELP` is held back until `TYPE`, which determines the name of the metric.
    let mut help: Option<(&str, &str)> = None;
    for line in text.lines() {
        if let Some(line) = line.strip_prefix("# HELP ") {
            help = line.split_once(' ');
        } else if let Some((name, kind)) = line
            .strip_prefix("# TYPE ")
            .and_then(|line| line.split_once(' '))
        {
            let (ending, kind) = match kind {
                "counter" => ("_total", "counter"),
                "info" => ("_info", "gauge"),
                "unknown" => ("", "untyped"),
                other => ("", other),
            };
            if let Some((of, words)) = help.take()
                && of == name
            {
                // The library appends another full stop.
                let words = words.strip_suffix('.').unwrap_or(words);
                written.push_str(&format!("# HELP {name}{ending} {words}\n"));
            }
            written.push_str(&format!("# TYPE {name}{ending} {kind}\n"));
        } else if !line.starts_with('#') {
            written.push_str(line);
            written.push('\n');
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_bear_the_name_of_their_samples_and_units_and_the_end_are_left_out() {
        let open_metrics = "# HELP http_requests Requests that were answered..\n\
            # TYPE http_requests counter\n\
            http_requests_total{method=\"GET\"} 2\n\
            # HELP build The version..\n# TYPE build info\nbuild_info{version=\"1\"} 1\n\
            # HELP wait_seconds How long..\n# TYPE wait_seconds gauge\n# UNIT wait_seconds seconds\n\
            wait_seconds 0.5\n# EOF\n";
        assert_eq!(
            of_open_metrics(open_metrics),
            "# HELP http_requests_total Requests that were answered.\n\
            # TYPE http_requests_total counter\n\
            http_requests_total{method=\"GET\"} 2\n\
            # HELP build_info The version.\n# TYPE build_info gauge\nbuild_info{version=\"1\"} 1\n\
            # HELP wait_seconds How long.\n# TYPE wait_seconds gauge\nwait_seconds 0.5\n"
        );
    }
}
