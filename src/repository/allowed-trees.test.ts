import { expect, test } from "vitest";
import { allowedWorkTrees } from "./allowed-trees.ts";

const main = "/home/ada/code/shop";

test.each([
  "/home/ada/code/shop-login",
  "/home/ada/code/shop/login",
  "/home/ada/code/shop/.worktrees/login",
  "/home/ada/code/shop/.claude/worktrees/team/login",
  "/home/ada/code/shop/.worktrees/login/.claude/worktrees/deeper",
  "/home/ada/.codex/worktrees/1f/shop",
  "/tmp/login",
])("a linked work tree can stand at %s", (folder) => {
  expect(allowedWorkTrees(main, [folder])).toEqual(new Set([folder]));
});

test.each([
  "/home/ada/code/shop",
  "/home/ada/code",
  "/home/ada/code/shop/.git",
  "/home/ada/code/shop/.GIT/worktrees/login",
  "/home/ada/code/shop/.waymark/journal",
  "/home/ada/code/shop/node_modules/pkg",
  "/home/ada/code/shop/.claude",
  "/home/ada/code/shop/.worktrees",
  "/home/ada/code/shop/.github/workflows",
  "/home/ada/code/shop/.worktrees/login/.github/workflows",
  "/home/ada/code/other/.git/hooks",
  "/home/ada/.ssh",
])("no linked work tree can stand at %s, whoever says so", (folder) => {
  expect(allowedWorkTrees(main, [folder])).toEqual(new Set());
});

test("what holds for a folder of the main work tree holds for one of another", () => {
  const trees = ["/tmp/login/.github/workflows", "/tmp/login"];
  expect(allowedWorkTrees(main, trees)).toEqual(new Set(["/tmp/login"]));
});

test("beside a main work tree whose own name begins with a dot, others may", () => {
  expect(allowedWorkTrees("/home/ada/.dotfiles", ["/home/ada/.dotfiles-new"])).toEqual(
    new Set(["/home/ada/.dotfiles-new"]),
  );
});
