/** The file that says: this folder was generated, from this bot, and these files stood in it. */
export const markFile = ".generated-by-waymark.json";
