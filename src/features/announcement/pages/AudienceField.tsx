import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconX } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { Questions, useQuestion } from '#kit/browser/form/question.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { useLater } from '#kit/browser/ui/use-later.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Announcement, announcementApi } from '../contract/announcement.ts';
import { chosenFrom, type Reach, type ShownRow } from '../contract/audience.ts';
import { studentKinds } from '../contract/words.ts';
import styles from './AudienceField.module.css';

/** A row as it is read: "Grade: Grade 5". */
export const rowWords = ({ kind, name }: Pick<ShownRow, 'kind' | 'name'>) =>
  name ? `${translateOption(kind)}: ${name}` : translateOption(kind);

const isSameRow = (one: ShownRow, other: Pick<ShownRow, 'kind' | 'id'>) =>
  one.kind === other.kind && one.id === other.id;

/** What the count depends on, where the form does not choose it. */
type Counted = Pick<Announcement, 'branchId' | 'sendsEmail' | 'sendsSms' | 'isPageOnly'>;

/** The people of an announcement: a search box adds rows, which include or exclude; the people are counted. */
export function AudienceField({ of }: { of?: Counted }) {
  const { t } = useLingui();
  const parts = useQuestion({ name: 'audience' });
  const { values, change } = useApiForm();
  const rows = (values.audience as ShownRow[] | undefined) ?? [];
  const set = (next: ShownRow[]) => change('audience', next);
  const add = (value: string, label: string) => {
    const chosen = chosenFrom(Number(value));
    if (!chosen || rows.some((row) => isSameRow(row, chosen))) return;
    const name = chosen.id === null ? '' : label.slice(label.indexOf(': ') + 2);
    set([...rows, { ...chosen, name, isExcluded: false, hasTeachers: studentKinds.includes(chosen.kind) }]);
  };
  const update = (row: ShownRow, over: Partial<ShownRow>) =>
    set(rows.map((one) => (one === row ? { ...one, ...over } : one)));
  return (
    <Questions parts={parts}>
      <Combobox
        id="audience"
        name="audience"
        aria-label={parts.words}
        options={announcementApi.options}
        placeholder={t`Grade, section, department, name`}
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        chosen={undefined}
        onChoose={(choice) => choice && add(choice.value, choice.label)}
      />
      {rows.length > 0 && (
        <List mt={8} aria-label={t`People`}>
          {rows.map((row) => (
            <AudienceRow
              key={`${row.kind} ${row.id}`}
              row={row}
              onChange={(over) => update(row, over)}
              onRemove={() => set(rows.filter((one) => one !== row))}
            />
          ))}
        </List>
      )}
      <Count rows={rows} of={of} />
    </Questions>
  );
}

interface RowProps {
  row: ShownRow;
  onChange: (over: Partial<ShownRow>) => void;
  onRemove: () => void;
}

function AudienceRow({ row, onChange, onRemove }: RowProps) {
  const { t } = useLingui();
  const { kind, isExcluded, hasTeachers } = row;
  const words = rowWords(row);
  return (
    <Row as="li" gap="4 10" align="center" wrap py={4} line="below" className={isExcluded ? styles.out : undefined}>
      <span className={styles.words}>{isExcluded ? t`all but ${words}` : words}</span>
      {studentKinds.includes(kind) && !isExcluded && (
        <Text as="label" breaks="never">
          <input
            type="checkbox"
            aria-label={t`Teachers of ${words} too`}
            checked={hasTeachers}
            onChange={({ currentTarget }) => onChange({ hasTeachers: currentTarget.checked })}
          />{' '}
          <Trans>Teachers too</Trans>
        </Text>
      )}
      {kind !== 'Everyone' && (
        <Button
          kind="quiet"
          aria-label={isExcluded ? t`Include ${words}` : t`All but ${words}`}
          onClick={() => onChange({ isExcluded: !isExcluded })}
        >
          {isExcluded ? <Trans>Include</Trans> : <Trans>All but these</Trans>}
        </Button>
      )}
      <IconButton isSmall label={t`Remove ${words}`} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </IconButton>
    </Row>
  );
}

/** How many people the rows mean, counted by the server a moment after each change. */
function Count({ rows, of }: { rows: readonly ShownRow[]; of: Counted | undefined }) {
  const { values } = useApiForm();
  const { branchId, sendsEmail, sendsSms, isPageOnly } = of ?? values;
  const count = useAction(announcementApi.count);
  const [counted, setCounted] = useState<{ of: string; reach?: Reach | undefined }>({ of: '' });
  const isCounted = rows.some(({ isExcluded }) => !isExcluded);
  const asked = useLater(
    isCounted
      ? JSON.stringify({
          branchId: branchId || null,
          audience: rows.map(({ name: _, ...row }) => row),
          sendsEmail: sendsEmail === true && isPageOnly !== true,
          sendsSms: sendsSms === true && isPageOnly !== true,
        })
      : '',
  );
  // A change while the server counts is counted next.
  const isWanted = asked !== '' && counted.of !== asked && !count.isBusy;
  const ask = useEffectEvent((of: string) => count.run(JSON.parse(of)).then((reach) => setCounted({ of, reach })));
  useEffect(() => {
    if (isWanted) void ask(asked);
  }, [isWanted, asked]);
  return (
    <div role="status" className={styles.count}>
      {asked !== '' && counted.reach && <ReachWords reach={counted.reach} />}
      {asked !== '' && count.problem}
    </div>
  );
}

interface Sent {
  emails: number;
  texts: number;
  parts?: number;
  paise?: number;
}

/** "12 by email · 102 text messages, 204 parts, about ₹20.40". */
export function SentWords({ emails, texts, parts = 0, paise = 0 }: Sent) {
  return (
    <>
      {emails > 0 && <Trans>{emails} by email</Trans>}
      {emails > 0 && texts > 0 && ' · '}
      {texts > 0 && <Plural value={texts} one="# text message" other="# text messages" />}
      {texts > 0 && parts > 0 && (
        <>
          , <Plural value={parts} one="# part" other="# parts" />
        </>
      )}
      {paise > 0 && (
        <>
          , <Trans>about {showMoney(paise)}</Trans>
        </>
      )}
    </>
  );
}

interface ReachProps {
  reach: Reach & Partial<Sent>;
}

/** "412 guardians of 398 children, 38 staff"; below, how they are reached, and the names of those whom nothing reaches. */
export function ReachWords({ reach }: ReachProps) {
  const { guardians, children, staff, emails, texts, unreached, unreachedNames } = reach;
  const names = unreachedNames.join(', ');
  const more = unreached - unreachedNames.length;
  return (
    <>
      <p>
        <Plural value={guardians} one="# guardian" other="# guardians" />{' '}
        <Plural value={children} one="of # child" other="of # children" />, <Plural value={staff} other="# staff" />
      </p>
      {emails + texts > 0 && (
        <p className="soft">
          <SentWords {...reach} />
        </p>
      )}
      {unreached > 0 && (
        <Notice>
          <Plural
            value={unreached}
            one="# guardian is not reached by any channel:"
            other="# guardians are not reached by any channel:"
          />{' '}
          {names}
          {more > 0 && (
            <>
              {' '}
              <Trans>and {more} more</Trans>
            </>
          )}
        </Notice>
      )}
    </>
  );
}
