type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Drops undefined keys: an absent argument is not an undefined one. */
export function defined<T extends object>(value: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = value[key as keyof T];
    if (item === undefined) continue;
    if (key === "__proto__") Object.defineProperty(kept, key, { value: item, enumerable: true });
    else kept[key] = item;
  }
  return kept as Defined<T>;
}
