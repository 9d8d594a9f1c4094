/** The picture of the rooms as SVG. */
export function drawRooms(): string;
