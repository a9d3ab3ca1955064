import { useState } from 'react';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { SlotPicker } from './SlotPicker.tsx';

const slots = ['09:00', '09:10', '09:20', '09:40', '10:10'].map((from, id) => ({ id, from }));

function Shown({ name, first }: { name: string; first?: number }) {
  const [chosen, setChosen] = useState(first);
  return <SlotPicker name={name} legend="Time with the gardener" slots={slots} chosen={chosen} onChoose={setChosen} />;
}

export const slotPicker: Section = {
  name: 'SlotPicker',
  states: { Empty: <Shown name="slot-empty" />, Chosen: <Shown name="slot-chosen" first={2} /> },
};
