/** The file that marks a generated folder, with its bot and its files. */
export const markFile = ".generated-by-waymark.json";
