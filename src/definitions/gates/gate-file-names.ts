/** True for the name of a gate file, or a misspelling of it, which would otherwise leave the step open. */
export function isGateFile(name: string): boolean {
  return /^gate[-_ ]?definitions?\.(ya?ml|json)$/i.test(name);
}
