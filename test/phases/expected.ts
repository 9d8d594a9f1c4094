/** What each phase of the fixtures asks for: field | type | optional | rules, in the words of gates. */
export type ExpectedPhase = { readonly approval?: true; readonly asks: readonly string[] };

/** Every phase of every workflow in the fixtures, as it is meant. */
export const expected: Readonly<Record<string, readonly ExpectedPhase[]>> = {
  "api-audit": [
    {
      asks: [
        "endpoint_count | integer | more than 0",
        "endpoint_list | list | not empty",
        "spec_file | string | the path of a file that exists",
        "undocumented_found | boolean | false",
        "not_of_the_phase | any",
      ],
    },
    {
      asks: [
        "schema_coverage | number | at least 95",
        "breaking_changes | integer | at most 0",
        "strictness | string | one of: strict, lax",
        "remarks | string | optional",
      ],
    },
    {
      asks: [
        "error_classes | list | not empty",
        "status_codes_seen | list | at least 3 long",
        "worst_latency_seconds | number | at most 2",
        "retry_header_present | boolean | true",
      ],
    },
    {
      asks: [
        "requests_per_second | integer | at least 100",
        "p99_ms | number | at least 1 | at most 500",
        "load_tool | string | one of: k6, locust, wrk",
        "raw_report | object | optional",
        "ignored_because_of_the_table | any",
      ],
    },
    {
      approval: true,
      asks: [
        "verdict | string | exactly pass",
        "open_findings | integer | at most 3",
        "summary | string | at least 50 long",
      ],
    },
  ],
  "data-migration": [
    { asks: ["rehearsal_rows | integer | more than 0", "rehearsal_ran_without_errors | boolean"] },
    { asks: ["backup_path | string | the path of a file that exists", "backup_size_mb | number | more than 0.5"] },
    { asks: ["rows_before | integer | more than 0", "rows_after | integer | more than 0"] },
    {
      asks: [
        "row_counts_match | boolean",
        "sample_checked | integer | at least 20",
        "checksum | string | at least 64 long | at most 64 long",
      ],
    },
  ],
  feature: [
    {
      asks: [
        "task_1_1 | boolean",
        "task_1_2 | boolean",
        "migration_runs_twice_without_error | boolean",
        "index_count | integer | at least 2",
        "create_read_and_delete_are_covered | boolean",
      ],
    },
    {
      asks: [
        "list_is_paged | boolean",
        "asks_before_it_deletes | boolean",
        "all_tasks_of_this_phase_are | boolean",
        "ui_tests_count | integer | at least 4",
      ],
    },
    { asks: ["3_1_write_the_changelog | boolean", "flag_enabled | any | other than false"] },
    { approval: true, asks: ["task_4_1_completed | boolean"] },
  ],
  "incident-review": [
    {
      asks: [
        "event_count | integer | at least 5",
        "first_alert_at | any",
        "timeline_list | list | not empty",
        "log_command_output | string | something that contains ERROR",
        "latency_p99 | any",
      ],
    },
    {
      asks: [
        "affected_users | integer | more than 0",
        "affected_services | list | not empty",
        "lost_revenue | any | optional",
        "customers_informed | boolean | true",
        "error_ratio | number | at least 0 | at most 1",
      ],
    },
    {
      asks: [
        "root_cause | string | at least 40 long",
        "contributing_factors | list | may be empty",
        "cause_category | string | one of: code, config, capacity, dependency",
        "was_known_risk | boolean | one of: true, false",
      ],
    },
    {
      asks: [
        "fix_commit | string | a match of /^[0-9a-f]{7,40}$/",
        "regression_test_path | file | the path of a file that exists",
        "deploy_count | number | exactly 1",
        "rollback_minutes | number | at most 30",
      ],
    },
    {
      asks: [
        "action_items | list | at least 2 long | at most 10 long",
        "owners_assigned | boolean | one of: true, false",
        "due_in_days | number | at least 1 | at most 90",
        "ticket_count | any",
      ],
    },
    { approval: true, asks: ["review_url | string | not empty"] },
  ],
  onboarding: [
    {
      asks: [
        "clone_it | boolean",
        "read_the_readme_md | boolean",
        "build_passes_on_a_clean_checkout | boolean",
        "lint_clean | any | other than false",
        "test_count | integer | at least 10",
        "license_file_is_present | boolean",
      ],
    },
    {
      asks: [
        "trace_ids_present | any | other than false",
        "log_levels | list | not empty",
        "alert_count | number | at least 3",
        "nobody_is_paged_for_info_messages | boolean",
        "dashboard_has_a_dark_mode | boolean | optional",
        "not_part_of_the_gate | boolean",
      ],
    },
    {
      approval: true,
      asks: [
        "secrets_are_read_from_the_vault | boolean",
        "dependency_audit_output | any | other than false",
        "critical_findings | boolean | false",
        "secrets_in_history | boolean | false",
      ],
    },
    {
      asks: [
        "sign_up_log_in_log_out | boolean",
        "flows_walked | integer | at least 4",
        "buy_cake | boolean",
        "demo_recording_path | string",
      ],
    },
    {
      approval: true,
      asks: [
        "oncall_list | list | at least 2 long",
        "runbook_pages | integer | at least 1",
        "handover_done | boolean | true",
        "the_old_team_says_goodbye | any",
      ],
    },
  ],
  release: [
    { approval: true, asks: ["freeze_announced | boolean | true", "branch_name | string | a match of /^release//"] },
    {
      asks: [
        "notes_file | string | the path of a file that exists",
        "change_count | integer | at least 1",
        "highlights | list | optional",
      ],
    },
    {
      asks: [
        "artifact_hashes | list | at least 2 long",
        "builds_identical | boolean",
        "build_minutes | number | at most 30",
      ],
    },
    {
      asks: ["canary_percent | integer | at least 1 | at most 10", "errors_before | integer", "errors_after | integer"],
    },
    { approval: true, asks: ["shipped_version | string | not empty"] },
  ],
};
