/** The time of this machine. */
export const systemClock = (): Date => new Date();
