/** The config of Codex: the scripted model as its provider, and nothing that leaves the machine. Settings of one's own come before the tables. */
export function codexConfig(url: string, model: string, settings = ""): string {
  return `
model = ${JSON.stringify(model)}
model_provider = "scripted"
check_for_update_on_startup = false
analytics.enabled = false
feedback.enabled = false
features.apps = false
${/^features.plugins/m.test(settings) ? "" : "features.plugins = false\n"}${settings}
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;
}

/** A folder that the person at Codex trusts. */
export function codexTrust(root: string): string {
  return `\n[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`;
}
