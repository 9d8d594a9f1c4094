import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { currentToken, keepToken } from "./api-client.ts";
import { Button } from "./shared/button.tsx";
import { UntrustedText } from "./shared/untrusted-text.tsx";

/** Asks for a token if the browser has none or a wrong one. */
export function NoToken({ no, reload }: { readonly no: string; readonly reload: () => void }): VNode {
  const field = useRef<HTMLInputElement>(null);
  const isRefused = currentToken() !== "";
  const offersSignIn = useSignal(false);
  useEffect(() => {
    void fetch("/signin/offered").then(
      ({ status }) => {
        offersSignIn.value = status === 204;
      },
      () => undefined,
    );
  }, []);
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
        <UntrustedText text={no} most={500} />
      </p>
      {offersSignIn.value ? (
        <p>
          <a class="primary" href="/signin">
            Sign in
          </a>
        </p>
      ) : null}
      <p>
        On your own machine, <code>waymark dashboard</code> prints an address that includes it: open the full address.
        On a team server, paste the token you were given.
      </p>
      <form class="token" onSubmit={enter}>
        <label for="token">Your token</label>
        <input id="token" ref={field} type="password" autocomplete="off" spellcheck={false} />
        <Button type="submit" kind="primary">
          Continue
        </Button>
      </form>
      <p class="quiet small">This tab remembers a token until it is closed. No cookie is set for it.</p>
    </section>
  );
}
