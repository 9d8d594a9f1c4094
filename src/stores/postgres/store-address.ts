/** The address of a database, for the library and for people. */
export type StoreAddress = {
  readonly url: string;
  readonly schema: string;
  /** Without user and password. */
  readonly place: string;
  /** Several hosts are given; the writable one is used. */
  readonly isOneOfSeveral: boolean;
  /** Prepares statements; off behind a pooler that switches connections per statement (`prepare=false`). */
  readonly prepare: boolean;
};

/**
 * Parses a store address `postgres://user:password@host:port,host:port/database?schema=waymark`; throws if it is invalid. `schema` and
 * `prepare` may be in the environment instead, so that PostgreSQL's own tools take the same address.
 */
export function storeAddress(text: string, env: NodeJS.ProcessEnv = process.env): StoreAddress {
  // Several hosts do not fit into a URL.
  const [, scheme, user = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?):\/\/([^@/?]*@)?([^/?]*)([/?].*)?$/.exec(text) ?? [];
  if (scheme === undefined || !URL.canParse(`${scheme}://${user}host${rest}`))
    throw new Error("A store address has the form postgres://user:password@host:port/database.");
  const { searchParams, pathname } = new URL(`${scheme}://${user}host${rest}`);
  const schema = searchParams.get("schema") ?? (env.WAYMARK_STORE_SCHEMA || "waymark");
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Error(
      `A store's schema may only have lower-case letters, digits and _: ${schema.slice(0, 80)} does not.`,
    );
  searchParams.delete("schema");
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  return {
    url: `${scheme}://${user}${hosts}${pathname}${query}`,
    schema,
    place: `postgres://${hosts}${pathname}`,
    isOneOfSeveral: hosts.includes(",") && !searchParams.has("target_session_attrs"),
    prepare: (searchParams.get("prepare") ?? env.WAYMARK_STORE_PREPARE) !== "false",
  };
}
