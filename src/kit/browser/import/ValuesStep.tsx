import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useId, useRef } from 'react';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { Grid } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { ImportStage } from '#kit/contract/import.ts';
import { mostCreated } from '#kit/contract/import-limits.ts';
import type { DayOrder, ImportPlan } from '#kit/contract/import-plan.ts';
import { sameText } from '#kit/contract/typed.ts';
import styles from './FileImport.module.css';
import type { Fields } from './import-flow.ts';

interface Props {
  stage: ImportStage;
  fields: Fields;
  plan: ImportPlan;
  onChange: (plan: ImportPlan) => void;
}

/** No entry has these names. */
const [create, leaveRows, leaveCell] = ['\u0001create', '\u0001rows', '\u0001cell'];

const mostNamed = 6;

/** Whether the word waits for the user, with a guess or without one. */
const isAsked = ({ proposal, isGuess = false }: ImportStage['words'][number]['words'][number]) =>
  proposal === null || isGuess;

/** The letters and digits of a word. */
const bare = (word: string) =>
  sameText(word)
    .match(/[\p{L}\p{M}\p{N}]+/gu)
    ?.join('') ?? word;

/** Every word of the file that fits no entry, and the dates that can be read in two ways. */
export function ValuesStep({ stage, fields, plan, onChange }: Props) {
  const labelOf = (name: string) => (fields[name] ? translate(fields[name].label) : name);
  const isOpen = stage.words.some(({ words }) => words.some((word) => isAsked(word)));
  return (
    <>
      {stage.dates.length > 0 && (
        <p>
          <Trans>These dates can be read in two ways. Choose which part of them is the day.</Trans>
        </p>
      )}
      {stage.dates.map((date) => (
        <Dates
          key={date.field}
          label={labelOf(date.field)}
          date={date}
          value={plan.dates[date.field]}
          onChange={(order) => onChange({ ...plan, dates: { ...plan.dates, [date.field]: order } })}
        />
      ))}
      {stage.words.length > 0 && (
        <p className={styles.ask}>
          {isOpen ? (
            <Trans>These values of the file match no entry yet. Choose what each of them means.</Trans>
          ) : (
            <Trans>These values of the file are matched with entries. Check them, and continue.</Trans>
          )}
        </p>
      )}
      {stage.words.map((words) => (
        <Words key={words.field} label={labelOf(words.field)} {...{ words, fields, plan, onChange }} />
      ))}
    </>
  );
}

/** Day and month of a date such as 05/06/2018, in both readings. */
function readingsOf(example: string): { day: string; month: string } | undefined {
  const found = /^([0-9]{1,2}) ?[-/.] ?([0-9]{1,2}) ?[-/.] ?([0-9]{2,4})$/.exec(example);
  if (!found) return undefined;
  const [, one = '', two = '', short = ''] = found;
  const year = short.length === 2 ? `20${short}` : short;
  const of = (month: string, day: string) => showDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
  return { day: of(two, one), month: of(one, two) };
}

interface DatesProps {
  label: string;
  date: ImportStage['dates'][number];
  value: DayOrder | undefined;
  onChange: (order: DayOrder) => void;
}

function Dates({ label, date: { example, isMixed }, value, onChange }: DatesProps) {
  const { t } = useLingui();
  const readings = readingsOf(example);
  return (
    <fieldset className={styles.words}>
      <legend>
        {label} {readings && <span className="soft">{t`“${example}”`}</span>}
      </legend>
      {isMixed && (
        <p className="soft">
          <Trans>The column has both orders. Dates that fit only the other order become errors.</Trans>
        </p>
      )}
      <label>
        <input type="radio" checked={value === 'DMY'} onChange={() => onChange('DMY')} />{' '}
        {readings ? <Trans>Day first: {readings.day}</Trans> : <Trans>Day first</Trans>}
      </label>
      <label>
        <input type="radio" checked={value === 'MDY'} onChange={() => onChange('MDY')} />{' '}
        {readings ? <Trans>Month first: {readings.month}</Trans> : <Trans>Month first</Trans>}
      </label>
    </fieldset>
  );
}

interface WordsProps extends Omit<Props, 'stage'> {
  label: string;
  words: ImportStage['words'][number];
}

function Words({ label, words: { field, words, choices, mayCreate, hasMore }, fields, plan, onChange }: WordsProps) {
  const { t } = useLingui();
  const id = useId();
  const box = useRef<HTMLFieldSetElement>(null);
  const created = plan.creates[field] ?? [];
  // The button that created all is gone with its focus, and Ctrl+Enter needs one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only created entries take the button away.
  useEffect(() => takeLostFocus(box.current?.querySelector('select') ?? null), [created.length]);
  const values = plan.values[field] ?? {};
  const set = (word: string, choice: string) => {
    const key = sameText(word);
    const others = created.filter((one) => sameText(one) !== key);
    // Words that mean an entry which is not created any more are open again.
    const rest = Object.fromEntries(
      Object.entries(values).filter(
        ([one, value]) => one !== key && (choice === create || value === null || sameText(value) !== key),
      ),
    );
    const value = choice === leaveRows ? null : choice === leaveCell ? '' : choice === create ? word : choice;
    const kept = choice === '' ? rest : { ...rest, [key]: value };
    onChange({
      ...plan,
      values: { ...plan.values, [field]: kept },
      creates: { ...plan.creates, [field]: choice === create ? [...others, word] : others },
    });
  };
  const choiceOf = (word: string) => {
    const key = sameText(word);
    if (created.some((one) => sameText(one) === key)) return create;
    if (!Object.hasOwn(values, key)) return '';
    const value = values[key];
    return value === null || value === undefined ? leaveRows : value === '' ? leaveCell : value;
  };
  const open = words.map(({ word }) => word).filter((word) => choiceOf(word) === '');
  // "Asst. Teacher" is the entry "Asst Teacher": the one that most rows have.
  const variants = Map.groupBy(open, bare);
  const createAll = () => {
    const chosen = [...variants.values()].slice(0, mostCreated - created.length);
    const added = chosen.flatMap(([first]) => first ?? []);
    const named = Object.fromEntries(
      chosen.flatMap((alike) => alike.map((word) => [sameText(word), alike[0] ?? word] as const)),
    );
    onChange({
      ...plan,
      values: { ...plan.values, [field]: { ...values, ...named } },
      creates: { ...plan.creates, [field]: [...created, ...added] },
    });
  };
  // A line keeps its place while it is decided.
  const matched = words.filter((word) => !isAsked(word));
  const guessed = words.filter(({ word, isGuess }) => isGuess && choiceOf(word) === '');
  const take = (taken: typeof words) => {
    const chosen = taken.map(({ word, proposal }) => [sameText(word), proposal] as const);
    onChange({ ...plan, values: { ...plan.values, [field]: { ...values, ...Object.fromEntries(chosen) } } });
  };
  const wordsOf = (choice: string) => {
    if (choice === '') return t`Choose`;
    if (choice === leaveRows) return t`Leave these rows out`;
    return choice === leaveCell ? t`Leave the cell empty` : translateOption(choice);
  };
  const line = (asked: (typeof words)[number]) => {
    const { word, count, proposal } = asked;
    const control = `${id}-${words.indexOf(asked)}`;
    const others = created.filter((one) => sameText(one) !== sameText(word));
    return (
      <Grid as="p" gap="8 16" align="center" mt={6} mb={6} key={word} className={styles.line}>
        <label htmlFor={control}>
          {word}{' '}
          <span className="soft">
            <Plural value={count} one="(# row)" other="(# rows)" />
          </span>
        </label>
        <select
          id={control}
          className="box"
          value={choiceOf(word)}
          onChange={({ currentTarget }) => set(word, currentTarget.value)}
        >
          <option value="">{t`Choose`}</option>
          {mayCreate && created.length < mostCreated && <option value={create}>{t`Create “${word}”`}</option>}
          <option value={leaveRows}>{t`Leave these rows out`}</option>
          {fields[field]?.optional && <option value={leaveCell}>{t`Leave the cell empty`}</option>}
          {others.length > 0 && (
            <optgroup label={t`New entries`}>
              {others.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label={t`Entries`}>
            {choices.map((choice) => (
              <option key={choice} value={choice}>
                {translateOption(choice)}
              </option>
            ))}
          </optgroup>
        </select>
        {proposal !== null && guessed.includes(asked) && (
          <Button kind="quiet" edge="start" className={styles.guess} onClick={() => take([asked])}>
            <Trans>
              Use {translateOption(proposal)}
              <VisuallyHidden> for {word}</VisuallyHidden>
            </Trans>
          </Button>
        )}
      </Grid>
    );
  };
  return (
    <fieldset ref={box} className={styles.words}>
      <legend>{label}</legend>
      {mayCreate && open.length > 1 && (
        <Button kind="quiet" edge="start" onClick={createAll}>
          <Trans>
            Create all {variants.size}
            <VisuallyHidden> of {label}</VisuallyHidden>
          </Trans>
        </Button>
      )}
      {guessed.length > 1 && (
        <Button kind="quiet" edge="start" onClick={() => take(guessed)}>
          <Trans>
            Use all {guessed.length} guesses
            <VisuallyHidden> for {label}</VisuallyHidden>
          </Trans>
        </Button>
      )}
      {words.filter(isAsked).map(line)}
      {matched.length > 0 && (
        <details className={styles.matched}>
          <summary>
            <Plural value={matched.length} one="# value is matched:" other="# values are matched:" />{' '}
            <span className="soft">
              {matched
                .slice(0, mostNamed)
                .map(({ word }) => `${word} → ${wordsOf(choiceOf(word))}`)
                .join(' · ')}
              {matched.length > mostNamed && ' …'}
            </span>
          </summary>
          {matched.map(line)}
        </details>
      )}
      {hasMore && (
        <p className="soft">
          <Trans>This column has more different words. The preview shows the rest as errors.</Trans>
        </p>
      )}
    </fieldset>
  );
}
