/** How a run stands, in one word: a person is waited for; its gate said no twice; it moves; nothing has moved for long; done; put away. */
export type StandsAs = "waits" | "stuck" | "working" | "quiet" | "finished" | "archived";
