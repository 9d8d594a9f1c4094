import type { Nodes, Root } from "mdast";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { frontMatterIn } from "../../../kit/front-matter.ts";
import { markdownTree } from "../../../kit/parse-markdown.ts";
import { UntrustedText } from "../shared/untrusted-text.tsx";

/** A longer text is shown as lines: parsing and drawing it would hold up the page. */
const longest = 200_000;

/** Returns the parsed Markdown of an untrusted text; undefined if it is too long or too costly. */
export function useMarkdown(text: string): Root | undefined {
  return useMemo(() => {
    if (text.length > longest) return undefined;
    const parsed = markdownTree(text.slice(frontMatterIn(text)?.end ?? 0));
    return "tree" in parsed ? parsed.tree : undefined;
  }, [text]);
}

/** Untrusted Markdown as nodes. Nothing is hidden or followed: addresses, comments and markup are shown as text. */
export function Markdown({ text, tree }: { readonly text: string; readonly tree: Root }): VNode {
  const head = frontMatterIn(text);
  return (
    <div class="markdown">
      {head === undefined ? null : <Code text={head.source} />}
      <Children of={tree} />
    </div>
  );
}

function Children({ of: parent }: { readonly of: { readonly children: readonly Nodes[] } }): VNode {
  return (
    <>
      {parent.children.map((node, at) => (
        <Node key={at} node={node} />
      ))}
    </>
  );
}

const headings = ["h3", "h4", "h5", "h6", "h6", "h6"] as const;

function Node({ node }: { readonly node: Nodes }): VNode {
  switch (node.type) {
    case "heading": {
      // The page has h1 to h3 of its own.
      const Heading = headings[node.depth - 1] ?? "h6";
      return (
        <Heading class={`level-${node.depth}`}>
          <Children of={node} />
        </Heading>
      );
    }
    case "paragraph":
      return (
        <p>
          <Children of={node} />
        </p>
      );
    case "text":
      return <UntrustedText text={node.value} most={20_000} />;
    case "emphasis":
      return (
        <em>
          <Children of={node} />
        </em>
      );
    case "strong":
      return (
        <strong>
          <Children of={node} />
        </strong>
      );
    case "inlineCode":
      return (
        <code>
          <UntrustedText text={node.value} />
        </code>
      );
    case "break":
      return <br />;
    case "code":
      return <Code text={node.value} />;
    case "blockquote":
      return (
        <blockquote>
          <Children of={node} />
        </blockquote>
      );
    case "thematicBreak":
      return <hr />;
    case "list":
      return node.ordered ? (
        <ol start={node.start ?? 1}>
          <Children of={node} />
        </ol>
      ) : (
        <ul>
          <Children of={node} />
        </ul>
      );
    case "listItem":
      return (
        <li class={typeof node.checked === "boolean" ? "task" : undefined}>
          {typeof node.checked === "boolean" ? <Tick isChecked={node.checked} /> : null}
          <Children of={node} />
        </li>
      );
    case "table":
      return <Table rows={node.children} />;
    case "link":
      return (
        <>
          <span class="link">
            <Children of={node} />
          </span>
          <Address text={node.url} />
        </>
      );
    case "image":
      return <Address text={`image: ${node.alt ?? ""} ${node.url}`} />;
    case "linkReference":
      return (
        <>
          <span class="link">
            <Children of={node} />
          </span>
          <Address text={node.label ?? node.identifier} />
        </>
      );
    case "imageReference":
      return <Address text={`image: ${node.alt ?? ""} ${node.label ?? node.identifier}`} />;
    case "definition":
      return (
        <p>
          <Address text={`${node.label ?? node.identifier}: ${node.url} ${node.title ?? ""}`} />
        </p>
      );
    case "html":
    case "yaml":
      return (
        <code class="markup">
          <UntrustedText text={node.value} />
        </code>
      );
    default:
      return "children" in node ? (
        <Children of={node} />
      ) : (
        <UntrustedText text={"value" in node ? String(node.value) : ""} />
      );
  }
}

function Code({ text }: { readonly text: string }): VNode {
  return (
    <pre>
      <UntrustedText text={text} most={20_000} />
    </pre>
  );
}

function Tick({ isChecked }: { readonly isChecked: boolean }): VNode {
  return (
    <>
      <span aria-hidden="true">{isChecked ? "☑ " : "☐ "}</span>
      <span class="aloud">{isChecked ? "done: " : "not done: "}</span>
    </>
  );
}

function Address({ text }: { readonly text: string }): VNode {
  return (
    <span class="quiet address">
      {" "}
      (<UntrustedText text={text} most={300} />)
    </span>
  );
}

type Row = { readonly children: readonly (Nodes & { readonly children: readonly Nodes[] })[] };

function Table({ rows }: { readonly rows: readonly Row[] }): VNode {
  const [head, ...body] = rows;
  return (
    <table class="value-table">
      <thead>
        <tr>
          {head?.children.map((cell, at) => (
            <th key={at} scope="col">
              <Children of={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {body.map((row, at) => (
          <tr key={at}>
            {row.children.map((cell, column) => (
              <td key={column}>
                <Children of={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
