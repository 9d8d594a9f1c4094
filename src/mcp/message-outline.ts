/** Finds the id of a message without parsing it: it may be larger than memory, or not a message. */
export type MessageOutline = {
  /** Reads the next bytes of the line. */
  read(bytes: Uint8Array): void;
  /** The id of a request; undefined if it cannot be read or the message is not a request. */
  requestId(): string | number | undefined;
};

/** Starts the outline of one line. */
export function outlineMessage(): MessageOutline {
  const fields = new Map<string, string>();
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let key: string | undefined;
  /** The top-level token being read, as spelled. */
  let token = "";

  function collect(byte: number): void {
    if (depth === 1 && token.length < longest) token += String.fromCharCode(byte);
  }

  function endField(): void {
    if (key !== undefined) fields.set(key, token);
    key = undefined;
    token = "";
  }

  function readText(byte: number): void {
    collect(byte);
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) isInText = false;
  }

  function readMark(byte: number): void {
    if (byte === quote) isInText = true;
    if (byte === openBrace || byte === openBracket) depth++;
    else if (depth === 1 && (byte === comma || byte === closeBrace)) endField();
    else if (depth === 1 && byte === colon && key === undefined) [key, token] = [token, ""];
    else if (byte > space && depth === 1) collect(byte);
    if (byte === closeBrace || byte === closeBracket) depth--;
  }

  return {
    read(bytes) {
      for (const byte of bytes) {
        if (isInText) readText(byte);
        else readMark(byte);
      }
    },
    requestId() {
      const id = scalar(fields.get('"id"'));
      const isRequest = typeof scalar(fields.get('"method"')) === "string";
      return isRequest && (typeof id === "string" || typeof id === "number") ? id : undefined;
    },
  };
}

/** No id or method is longer than this. */
const longest = 300;

function scalar(spelled: string | undefined): unknown {
  try {
    return spelled === undefined ? undefined : JSON.parse(Buffer.from(spelled, "latin1").toString("utf8"));
  } catch {
    return undefined; // cut short, or no JSON
  }
}

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
