import type { ButtonHTMLAttributes, VNode } from "preact";

/** Every button: the main action, another action, a small one beside a text, one that unfolds more, or one without a frame. */
export function Button({
  kind,
  class: more,
  ...rest
}: { readonly kind?: ButtonKind | undefined; readonly class?: string } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  "class"
>): VNode {
  const classes = [kind === undefined ? undefined : kindClasses[kind], more].filter((one) => one !== undefined);
  return <button type="button" class={classes.length === 0 ? undefined : classes.join(" ")} {...rest} />;
}

type ButtonKind = "primary" | "quiet" | "more" | "bare";

const kindClasses: Readonly<Record<ButtonKind, string>> = {
  primary: "primary",
  quiet: "quiet-button",
  more: "more",
  bare: "bare",
};
