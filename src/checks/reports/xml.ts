import sax from "sax";

/** The callbacks for reading an XML report. */
export type XmlVisitor = {
  /** An element opens; `inside` names its ancestors. */
  open(name: string, attributes: Readonly<Record<string, string>>, inside: readonly string[]): void;
  close(name: string): void;
};

/** Reads XML strictly in chunks; at the end returns the first problem, if any. */
export function readXml(
  roots: readonly string[],
  visitor: XmlVisitor,
): { write(text: string): void; end(): string | undefined } {
  Object.assign(sax, { MAX_BUFFER_LENGTH: longestText });
  const parser = sax.parser(true, { position: true });
  const inside: string[] = [];
  let problem: string | undefined;
  let hasRoot = false;
  const complain = (message: string): void => {
    problem ??= `line ${parser.line + 1}: ${message}`;
  };
  parser.onerror = (error) => {
    complain(error.message.split("\n", 1)[0] ?? "it is not XML");
  };
  parser.ondoctype = (doctype) => {
    if (doctype.includes("[")) complain("it defines its own entities");
  };
  parser.onopentag = ({ name, attributes }) => {
    if (!hasRoot && !roots.includes(name)) complain(`it begins with <${name}>, not with <${roots.join("> or <")}>`);
    if (hasRoot && inside.length === 0) complain("it has content after its end");
    hasRoot = true;
    if (inside.length >= mostLevels) return complain(`it is nested more than ${mostLevels} levels deep`);
    if (problem !== undefined) return;
    visitor.open(name, textsOf(attributes), inside);
    inside.push(name);
  };
  parser.onclosetag = (name) => {
    if (problem !== undefined) return;
    inside.pop();
    visitor.close(name);
  };
  return {
    write(text) {
      if (problem === undefined) parser.write(text);
    },
    end() {
      if (problem === undefined) parser.close();
      if (!hasRoot) complain("it is empty");
      return problem;
    },
  };
}

/** An attribute may be long: a test's name can hold its input. */
const longestText = 8 * 1024 * 1024;

const mostLevels = 200;

function textsOf(attributes: sax.Tag["attributes"] | sax.QualifiedTag["attributes"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "string" ? value : value.value]),
  );
}
