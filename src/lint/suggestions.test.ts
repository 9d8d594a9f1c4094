import { describe, expect, test } from "vitest";
import { looksLikePattern, plainWords } from "../definitions/bots/trigger-words.ts";
import { didYouMean, findNearMiss } from "../definitions/files/near-miss.ts";
import { findPlaceholderText } from "./placeholder-text.ts";

describe("a name that was most likely meant", () => {
  const known = ["name", "workflow", "order", "next_action", "auto_progress"];
  test.each([
    ["next_acton", "next_action"],
    ["nextAction", "next_action"],
    ["Order", "order"],
    ["worfklow", "workflow"],
  ])("%s means %s", (written, meant) => {
    expect(findNearMiss(written, known)).toBe(meant);
  });
  test("a shortened name is understood, another name is not", () => {
    expect(didYouMean("next", known)).toBe('; did you mean "next_action"?');
    expect(didYouMean("colour", known)).toBe("");
    expect(didYouMean("", known)).toBe("");
    expect(didYouMean("x".repeat(1_000), known)).toBe("");
  });
});

describe("trigger words", () => {
  test.each([
    "story map",
    "what now?",
    "C++",
    "(draft)",
    "cost in $",
    "a | b",
    "e.g. this",
    "50%",
    "[optional]",
    "Q&A: why",
  ])("%s is words", (text) => {
    expect(looksLikePattern(text)).toBe(false);
  });
  test.each([
    "\\bstory\\b",
    "write .* story",
    "(?:a|b)",
    "stor(y|ies)+",
    "[a-z]+ map",
    "^shape",
    "a|b",
    "/map/i",
    "(open",
    "[open",
  ])("%s is a pattern", (text) => {
    expect(looksLikePattern(text)).toBe(true);
  });
  test.each([
    ["\\bshape (?:the )?story\\b", ["shape the story"]],
    ["(create|draw|make).*story map", ["create story map"]],
    ["stor(y|ies)|epics?", ["story", "epics"]],
    ["^plan\\s+increments?$", ["plan increments"]],
    ["(unclosed[", ["unclosed"]],
    ["/who (uses|needs) it/i", ["who uses it"]],
    ["[a-z]+", []],
    ["story map", ["story map"]],
  ])("the words in %s", (pattern, words) => {
    expect(plainWords(pattern)).toEqual(words);
  });
});

describe("what was meant to be replaced", () => {
  test.each([
    "TODO",
    "- TODO write this",
    "> TBD",
    "1. FIXME later",
    "Users: TBD.",
    "see TODO: more",
    "<fill in the name>",
    "[TODO]",
    "<your team>",
    "Lorem ipsum dolor",
  ])("%s", (text) => {
    expect(findPlaceholderText(text)).toHaveLength(1);
  });
  test.each([
    "Leave no TODO in it.",
    "Words such as TODO, TBD or FIXME are left-overs",
    "`TODO: x`",
    'say "TBD"',
    "<name>",
    "[link](your-page)",
    "[your page](x.md)",
    "a todo list",
    "```\nTODO\n```",
  ])("%s is a text", (text) => {
    expect(findPlaceholderText(text)).toEqual([]);
  });
});
