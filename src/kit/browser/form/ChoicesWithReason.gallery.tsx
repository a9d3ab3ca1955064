import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { ChoicesWithReason, useChoicesWithReason } from './ChoicesWithReason.tsx';

const choices = [
  { key: 'name', label: 'Name' },
  { key: 'health', label: 'Health', needsReason: true },
  { key: 'long', label: longWords },
];

function Shown({ first }: { first: readonly string[] }) {
  return <ChoicesWithReason of={useChoicesWithReason(choices, first)} />;
}

export const choicesWithReason: Section = {
  name: 'ChoicesWithReason',
  states: {
    'Without a reason': <Shown first={['name']} />,
    'With a reason': <Shown first={['name', 'health']} />,
  },
};
