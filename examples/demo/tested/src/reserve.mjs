/** Whether a group can have a table at an hour of the day. */
export function canReserve(people, hour) {
  return people >= 1 && people <= 6 && hour >= 10 && hour < 20;
}
