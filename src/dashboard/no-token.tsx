import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { keepToken, tokenHere } from "./server.ts";
import { OutsideText } from "./shared/outside-text.tsx";

/** What is shown to a browser that brought no token, or one that is not good here: how to get in. */
export function NoToken({ no, reload }: { readonly no: string; readonly reload: () => void }): VNode {
  const field = useRef<HTMLInputElement>(null);
  const isRefused = tokenHere() !== "";
  const enter = (event: Event): void => {
    event.preventDefault();
    const token = field.current?.value.trim() ?? "";
    if (token === "") field.current?.focus();
    else {
      keepToken(token);
      reload();
    }
  };
  return (
    <section class="card narrow">
      <h1>This page needs a token</h1>
      <p class={isRefused ? "problem" : undefined} role={isRefused ? "alert" : undefined}>
        <OutsideText text={no} most={500} />
      </p>
      <p>
        On your own machine, <code>waymark dashboard</code> prints an address that carries it: open that, whole. On a
        team's server, paste the token that you were given.
      </p>
      <form class="token" onSubmit={enter}>
        <label for="token">Your token</label>
        <input id="token" ref={field} type="password" autocomplete="off" spellcheck={false} />
        <button type="submit" class="primary">
          Look
        </button>
      </form>
      <p class="quiet small">This tab remembers it until it is closed. No cookie is set.</p>
    </section>
  );
}
