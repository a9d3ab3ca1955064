import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { freeText } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { Fold } from './Fold.tsx';
import { ErrorText, Hint, Note, Question, Questions, useQuestion } from './question.tsx';

const height = freeText(text`Height`, 40);

function HeightBox({ name }: { name: string }) {
  const parts = useQuestion({ name, hint: 'In metres' });
  return (
    <Question parts={parts}>
      <input
        className="box"
        inputMode="numeric"
        id={name}
        name={name}
        aria-describedby={parts.described}
        aria-invalid={Boolean(parts.error)}
      />
    </Question>
  );
}

function TwoBoxes({ name }: { name: string }) {
  return (
    <Questions parts={useQuestion({ name, hint: 'Metres and centimetres' })}>
      <div className="side-by-side">
        <input className="box" aria-label="Metres" name={name} />
        <input className="box" aria-label="Centimetres" name={name} />
      </div>
    </Questions>
  );
}

export const question: Section = {
  name: 'Question',
  states: {
    'A control of a page’s own': (
      <ShownForm fields={{ questionBox: height }} errors={{ questionBox: text`Height is required.` }}>
        <HeightBox name="questionBox" />
      </ShownForm>
    ),
    'With words of others': (
      <ShownForm fields={{ questionNote: height }} notes={{ questionNote: `The gardener: ${longWords}` }}>
        <HeightBox name="questionNote" />
      </ShownForm>
    ),
    'Several controls': (
      <ShownForm fields={{ questionBoxes: height }}>
        <TwoBoxes name="questionBoxes" />
      </ShownForm>
    ),
    'Hint, note and error alone': (
      <>
        <Hint id="question-hint">In metres</Hint>
        <Note id="question-note" note="The gardener: measure it again." />
        <ErrorText id="question-error" error={text`Height is required.`} />
      </>
    ),
  },
};

export const fold: Section = {
  name: 'Fold',
  states: {
    Closed: (
      <Fold line="More about the tree">
        <p>It is an oak.</p>
      </Fold>
    ),
    'Opened by what is in it': (
      <Fold line={longWords} mustOpen>
        <p>{longWords}</p>
      </Fold>
    ),
  },
};
