import { useState } from 'react';
import type { Section } from '#kit/browser/gallery/section.tsx';
import { DateInput } from './DateInput.tsx';

function PlantedOn({ id, first }: { id: string; first: string }) {
  const [date, setDate] = useState(first);
  return (
    <>
      <label htmlFor={id}>Planted on</label>
      <DateInput id={id} value={date} onChange={setDate} />
    </>
  );
}

export const dateInput: Section = {
  name: 'DateInput',
  states: {
    Empty: <PlantedOn id="planted-empty" first="" />,
    Filled: <PlantedOn id="planted-filled" first="2026-11-21" />,
    'No date yet': <PlantedOn id="planted-wrong" first="21 Nov" />,
  },
};
