import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

export const emptyState: Section = {
  name: 'EmptyState',
  states: {
    'What is missing': <EmptyState message="No tree has this name." />,
    'And where it is added': (
      <EmptyState message="There are no trees yet.">
        <p>Every tree of the garden stands here, with its height.</p>
        <Button>Add a tree</Button>
      </EmptyState>
    ),
    'Long words': <EmptyState message={longWords}>{longWords}</EmptyState>,
  },
};
