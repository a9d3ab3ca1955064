import { Trans, useLingui } from '@lingui/react/macro';
import { Combobox, useCombobox } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Question } from '#kit/browser/form/question.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Mantine } from '#kit/browser/ui/mantine.tsx';
import { type Begun, useContinued } from '#kit/browser/ui/use-begun.ts';
import type { GivenPair } from '../contract/homework.ts';
import styles from './PairsField.module.css';
import { usePairs } from './use-pairs.tsx';

/** Letters and digits only, so that 6a finds “Grade 6, A”. */
const plain = (words: string) => words.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const nameOf = ({ section, subject }: GivenPair) => `${section} · ${subject}`;
const isPair = (one: Pair, other: Pair) => one.sectionId === other.sectionId && one.subjectId === other.subjectId;

/** Those in which every typed word occurs; first those whose section is what was typed. */
function matching(pairs: readonly GivenPair[], typed: string): GivenPair[] {
  const words = typed.split(/\s+/).map(plain).filter(Boolean);
  const [first = ''] = words;
  const isWhole = ({ section }: GivenPair) => plain(section).replace(/^\D+/, '') === first;
  const found = pairs.filter((pair) => words.every((word) => plain(nameOf(pair)).includes(word)));
  return found.toSorted((one, other) => Number(isWhole(other)) - Number(isWhole(one)));
}

export type Pair = Pick<GivenPair, 'sectionId' | 'subjectId'>;

export interface PairsFieldProps {
  pairs: readonly GivenPair[];
  /** Called with what is chosen after a change. */
  onChange?: (chosen: readonly GivenPair[]) => void;
}

interface Props extends PairsFieldProps {
  /** What the user typed or pressed while this was loading. */
  begun: Begun;
}

/** The field once it is loaded. */
export function LoadedPairsField({ pairs, onChange, begun }: Props) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const parts = usePairs();
  const input = useContinued(begun);
  const [typed, setTyped] = useState(begun.typed ?? '');
  const [isOpen, setOpen] = useState(begun.typed !== undefined || begun.isPressed);
  const store = useCombobox({ opened: isOpen, onOpenedChange: setOpen, scrollBehavior: 'instant' });
  const chosen = (values.pairs as Pair[]).flatMap((one) => pairs.find((pair) => isPair(pair, one)) ?? []);
  const left = pairs.filter(
    (pair) =>
      !chosen.some((one) => isPair(one, pair)) && (chosen.length === 0 || chosen[0]?.subjectId === pair.subjectId),
  );
  const found = matching(left, typed);
  const count = found.length;
  // Enter takes the first that matches.
  const takeFirst = useEffectEvent(() => store.selectFirstOption());
  useEffect(() => {
    if (typed.trim() !== '' && count > 0) takeFirst();
  }, [typed, count]);
  const set = (next: readonly GivenPair[]) => {
    change(
      'pairs',
      next.map(({ sectionId, subjectId }) => ({ sectionId, subjectId })),
    );
    onChange?.(next);
  };
  return (
    <Question parts={parts}>
      {chosen.length > 0 && (
        <Row as="ul" gap={6} wrap mb={6} className={styles.chosen}>
          {chosen.map((pair) => (
            <li key={`${pair.sectionId} ${pair.subjectId}`}>
              <Row
                as="button"
                inline
                gap={4}
                align="center"
                type="button"
                aria-label={t`Remove ${nameOf(pair)}`}
                onClick={() => {
                  set(chosen.filter((one) => one !== pair));
                  input.current?.focus();
                }}
              >
                {nameOf(pair)} <IconX size={14} aria-hidden />
              </Row>
            </li>
          ))}
        </Row>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus has left all of it. */}
      <div onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || setOpen(false)}>
        <Mantine>
          <Combobox
            store={store}
            withinPortal={false}
            floatingStrategy="fixed"
            onOptionSubmit={(value) => {
              const pair = left.find(({ sectionId, subjectId }) => `${sectionId} ${subjectId}` === value);
              if (pair) set([...chosen, pair]);
              setTyped('');
              setOpen(false);
            }}
          >
            <Combobox.Target withExpandedAttribute>
              <input
                ref={input}
                id="pairs"
                name="pairs"
                className="box"
                type="text"
                autoComplete="off"
                aria-autocomplete="list"
                aria-invalid={Boolean(parts.error)}
                aria-describedby={parts.described}
                placeholder={t`Section and subject`}
                value={typed}
                onChange={({ currentTarget }) => {
                  setTyped(currentTarget.value);
                  setOpen(true);
                }}
                onClick={() => setOpen(true)}
                onKeyDown={(event) => {
                  if (event.key === 'Backspace' && typed === '') set(chosen.slice(0, -1));
                  if (!isOpen) return;
                  if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault();
                  if (event.key !== 'Escape') return;
                  event.preventDefault();
                  event.stopPropagation();
                  setTyped('');
                  setOpen(false);
                }}
              />
            </Combobox.Target>
            <Combobox.Dropdown className={styles.list}>
              <Combobox.Options aria-label={t`Sections`}>
                {found.map((pair) => (
                  <Combobox.Option
                    key={`${pair.sectionId} ${pair.subjectId}`}
                    value={`${pair.sectionId} ${pair.subjectId}`}
                  >
                    {nameOf(pair)}
                  </Combobox.Option>
                ))}
              </Combobox.Options>
              <p role="status" className={found.length > 0 ? undefined : styles.note}>
                {found.length === 0 && <Trans>None of your sections match.</Trans>}
              </p>
            </Combobox.Dropdown>
          </Combobox>
        </Mantine>
      </div>
    </Question>
  );
}
