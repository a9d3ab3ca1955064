import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { Notice } from './Notice.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export const notice: Section = {
  name: 'Notice',
  states: {
    'Asks for attention': <Notice>This list is closed.</Notice>,
    'Something is done': <Notice kind="good">The tree was planted.</Notice>,
    'Something is wrong': <Notice kind="bad">Two trees have one place.</Notice>,
    'With more than text': (
      <Notice as="div">
        <p>Your changes are not saved.</p>
        <Button>Keep editing</Button>
      </Notice>
    ),
    'Long words': <Notice>{longWords}</Notice>,
  },
};

export const visuallyHidden: Section = {
  name: 'VisuallyHidden',
  states: {
    'Read aloud after the number': (
      <p>
        21 m<VisuallyHidden> high</VisuallyHidden>
      </p>
    ),
  },
};
