export function patchPackages(home: string): void;
