/** Greets a guest by name, and one without a name all the same. */
export const greet = (name) => `Good evening, ${name}.`;
