import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import { answered, away, busy, done, refused } from '#kit/browser/gallery/answers.ts';
import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { problemMessage } from '#kit/contract/errors.ts';
import { takenMessage } from '#kit/contract/field.ts';
import { freeText, optionalFreeText } from '#kit/contract/fields.ts';
import { text } from '#kit/contract/text.ts';
import { ApiForm } from './ApiForm.tsx';
import type { Draft } from './draft.ts';
import { ErrorSummary } from './ErrorSummary.tsx';
import { TextField } from './fields.tsx';
import { LeaveGuard } from './LeaveGuard.tsx';

const nothing = () => undefined;

/** A form with two fields of unique names. */
const tree = (state: string) =>
  endpoint({
    method: 'POST',
    path: `/kit/${state}`,
    access: 'public',
    input: z.object({
      [`${state}Name`]: freeText(text`Name`, 40),
      [`${state}Note`]: optionalFreeText(text`Note`, 250),
    }),
    output: z.object({}),
  });

const saved = answered(tree('saved'), done({}));
const taken = answered(tree('taken'), refused('invalid', problemMessage, { fields: { takenName: takenMessage } }));
const stale = answered(
  tree('stale'),
  refused('stale', text`This was changed.`, { data: { rowVersion: 2, savedDateTime: '2026-11-21T05:12:00.000Z' } }),
);
const sending = answered(tree('sending'), busy);
const unreachable = answered(tree('unreachable'), away);
const restored = answered(tree('restored'), done({}));

/** A draft of an earlier visit. */
const draft: Draft = {
  answers: { restoredName: 'Elm' },
  since: '2026-11-21T05:12:00.000Z',
  change: nothing,
  flush: nothing,
  pause: nothing,
  end: nothing,
};

interface Props {
  state: string;
  operation: ReturnType<typeof tree>;
  name?: string;
  draft?: Draft;
}

function TreeForm({ state, operation, name = 'Oak', draft }: Props) {
  return (
    <ApiForm
      endpoint={operation}
      initial={{ [`${state}Name`]: name, [`${state}Note`]: '' }}
      draft={draft}
      onDone={nothing}
      buttons={(isSending) => (
        <Button type="submit" kind="main" isBusy={isSending}>
          Save
        </Button>
      )}
    >
      <TextField name={`${state}Name`} />
      <TextField name={`${state}Note`} long />
    </ApiForm>
  );
}

export const apiForm: Section = {
  name: 'ApiForm',
  states: {
    'Empty: saving names what is missing': <TreeForm state="saved" operation={saved} name="" />,
    'The server refuses a field': <TreeForm state="taken" operation={taken} />,
    'Changed elsewhere meanwhile': <TreeForm state="stale" operation={stale} />,
    'Busy for ever': <TreeForm state="sending" operation={sending} />,
    'Server away': <TreeForm state="unreachable" operation={unreachable} />,
    'With what was typed in an earlier visit': <TreeForm state="restored" operation={restored} draft={draft} />,
  },
};

export const errorSummary: Section = {
  name: 'ErrorSummary',
  states: {
    'Takes the focus when it appears': (
      <Opener words="Show the problems">
        {() => (
          <ErrorSummary
            problems={[
              { text: text`Name is required.`, field: 'savedName' },
              { text: text`Name is required.`, field: 'takenName', group: text`North side` },
              { text: text`The garden is closed.`, href: '#empty-state' },
              { text: text`Nothing can be planted today.` },
            ]}
          />
        )}
      </Opener>
    ),
  },
};

function Leaving() {
  const router = useRouter();
  const [isChanged, setChanged] = useState(false);
  const leave = () => {
    flushSync(() => setChanged(true));
    void router.navigate({ to: '/sign-up' });
  };
  return (
    <>
      <Button onClick={leave}>Leave the page</Button>
      <LeaveGuard isChanged={isChanged} />
    </>
  );
}

export const leaveGuard: Section = {
  name: 'LeaveGuard',
  states: { 'Something was entered': <Leaving /> },
};
