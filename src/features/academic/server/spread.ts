/** A child who needs a section. */
export interface Unplaced {
  id: number;
  gender: string;
}

/** A section with what it holds and has. */
export interface Seats {
  id: number;
  capacity: number;
  strength: number;
  girls: number;
  boys: number;
}

/**
 * Spreads children over sections so that girls, boys and numbers are as even as they can be and no section gets more than
 * it holds (areas.md K4, "Auto-place"). Gives the section of each child; who finds no seat has none.
 */
export function spread(children: readonly Unplaced[], sections: readonly Seats[]): Map<number, number> {
  const seats = sections.map((section) => ({ ...section }));
  const given = new Map<number, number>();
  for (const { id, gender } of children) {
    const alike = (one: Seats) => (gender === 'F' ? one.girls : gender === 'M' ? one.boys : one.strength);
    const [best] = seats
      .filter(({ strength, capacity }) => strength < capacity)
      .sort((one, other) => alike(one) - alike(other) || one.strength - other.strength);
    if (!best) break;
    best.strength += 1;
    if (gender === 'F') best.girls += 1;
    if (gender === 'M') best.boys += 1;
    given.set(id, best.id);
  }
  return given;
}
