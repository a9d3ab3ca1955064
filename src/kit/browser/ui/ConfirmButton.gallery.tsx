import { longLabel, longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { ConfirmButton } from './ConfirmButton.tsx';

const nothing = () => undefined;

export const confirmButton: Section = {
  name: 'ConfirmButton',
  states: {
    'A question': (
      <ConfirmButton
        name="Remove Oak"
        label="Remove"
        question="Remove Oak from the list?"
        confirm="Remove"
        onConfirm={nothing}
      />
    ),
    'Long words': (
      <ConfirmButton
        name={`${longLabel}: ${longWords}`}
        label={longLabel}
        question={longWords}
        confirm={longLabel}
        onConfirm={nothing}
      />
    ),
  },
};
