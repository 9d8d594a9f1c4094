/** Where a database is, as the library and as people want it. */
export type StoreAddress = {
  readonly url: string;
  readonly schema: string;
  /** Without user and password. */
  readonly place: string;
  /** Whether there are several hosts, of which the one that can be written to is meant. */
  readonly isOneOfSeveral: boolean;
  /** Whether statements are prepared; not behind a pooler that hands a connection to another with every statement (`prepare=false`). */
  readonly prepare: boolean;
};

/** Reads the address of a store: `postgres://user:password@host:port,host:port/database?schema=waymark`. Throws a sentence where it is none. */
export function storeAddress(text: string): StoreAddress {
  // Several hosts are more than a URL can name.
  const [, scheme, user = "", hosts = "", rest = ""] =
    /^(postgres(?:ql)?):\/\/([^@/?]*@)?([^/?]*)([/?].*)?$/.exec(text) ?? [];
  if (scheme === undefined || !URL.canParse(`${scheme}://${user}host${rest}`))
    throw new Error("A store's address is written postgres://user:password@host:port/database.");
  const { searchParams, pathname } = new URL(`${scheme}://${user}host${rest}`);
  const schema = searchParams.get("schema") ?? "waymark";
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema))
    throw new Error(
      `The schema of a store is written with small letters, digits and _: ${schema.slice(0, 80)} is not.`,
    );
  searchParams.delete("schema");
  const query = searchParams.size === 0 ? "" : `?${searchParams}`;
  return {
    url: `${scheme}://${user}${hosts}${pathname}${query}`,
    schema,
    place: `postgres://${hosts}${pathname}`,
    isOneOfSeveral: hosts.includes(",") && !searchParams.has("target_session_attrs"),
    prepare: searchParams.get("prepare") !== "false",
  };
}
