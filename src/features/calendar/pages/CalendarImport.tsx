import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { FileButton } from '#kit/browser/ui/FileButton.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { AppError } from '#kit/contract/errors.ts';
import { calendarApi, calendarMessages, mostListed, type WeeklyOff } from '../contract/calendar.ts';
import { states, usualHolidays } from '../contract/holidays.ts';
import { ImportPreview } from './ImportPreview.tsx';
import { Weeks } from './WeeklyOffForm.tsx';

interface Props {
  academicYearId: number;
  /** The first and the last day of the year. */
  startsOn: string;
  endsOn: string;
  /** Those of the year, where they are asked for and saved together with the holidays. */
  weeklyOff?: WeeklyOff;
  onClose: () => void;
}

/** Imports a list of holidays, typed, pasted or from a file, after a preview. */
export function CalendarImport({ academicYearId, startsOn, endsOn, weeklyOff, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(calendarApi.importDays);
  const [text, setText] = useState('');
  const [state, setState] = useState('');
  const [toCheck, setToCheck] = useState<string[]>([]);
  const [off, setOff] = useState(weeklyOff);
  const answer = preview.shown?.answer;
  const { isBusy } = preview;

  const take = (list: string) => {
    setText(list);
    preview.close();
  };
  const fill = (chosen: string) => {
    const found = chosen === '' ? [] : usualHolidays({ startsOn, endsOn }, chosen);
    setState(chosen);
    setToCheck(found.filter(({ of }) => of !== 'nation').map(({ name }) => name));
    take(found.map(({ day, name }) => `${showDay(day)}, ${name}`).join('\n'));
  };
  const look = (read: () => Promise<string>) =>
    preview.show(async () => {
      const list = await read();
      if (list.length > mostListed) throw new AppError('invalid', calendarMessages.tooLong);
      return { academicYearId, text: list, ...(off && { weeklyOff: off }) };
    });
  const open = (file: File | undefined) =>
    file &&
    look(async () => {
      const list = new TextDecoder().decode(await file.arrayBuffer());
      take(list);
      return list;
    });
  const enter = async (close: () => void) => {
    const done = await preview.apply();
    if (!done) return;
    close();
    const count = done.counts.added + done.counts.changed;
    const imported = t`${plural(count, { one: '# holiday imported.', other: '# holidays imported.' })}`;
    toast({ kind: 'success', title: off ? t`Saved.` : imported });
  };
  const todo = (answer?.counts.added ?? 0) + (answer?.counts.changed ?? 0);
  const isReady = answer?.confirmToken && (todo > 0 || off);
  return (
    <SideDialog title={off ? t`Weekly offs and holidays` : t`Import holidays`} onClose={onClose}>
      {(close) => (
        <>
          {(text !== '' || off !== weeklyOff) && <Unsaved />}
          {off && (
            <div className="question">
              <h3>
                <Trans>Weekly offs</Trans>
              </h3>
              <p className="hint">
                <Trans>Tick when the school is closed, such as every Sunday and the 2nd and 4th Saturday.</Trans>
              </p>
              <Weeks
                weeklyOff={off}
                onChange={(changed) => {
                  setOff(changed);
                  preview.close();
                }}
              />
            </div>
          )}
          <div className="question">
            <label htmlFor="state">
              <Trans>Start with the usual holidays of</Trans>
            </label>
            <select
              id="state"
              className="box"
              defaultValue=""
              onChange={({ currentTarget }) => fill(currentTarget.value)}
            >
              <option value="">{t`No state`}</option>
              {states.map((state) => (
                <option key={state} value={state}>
                  {translateOption(state)}
                </option>
              ))}
            </select>
          </div>
          {state !== '' && (
            <Notice>
              {toCheck.length > 0 ? (
                <Trans>
                  This list is only a start. Check the dates of the festivals and of the state’s own holidays against
                  the government’s list for {translateOption(state)}, and correct them here: {toCheck.join(', ')}.
                </Trans>
              ) : (
                <Trans>
                  This list is only a start, without festivals. Add the other days of the government’s list for{' '}
                  {translateOption(state)}.
                </Trans>
              )}
            </Notice>
          )}
          <div className="question">
            <label htmlFor="list">
              <Trans>One date and name on each line</Trans>
            </label>
            <p className="hint" id="list-hint">
              <Trans>
                For example 20/10/2026, Dussehra. These become holidays for the whole school. You will see a preview
                first.
              </Trans>
            </p>
            <textarea
              id="list"
              className="box"
              rows={8}
              aria-describedby="list-hint"
              value={text}
              onChange={(event) => take(event.currentTarget.value)}
            />
          </div>
          <Text mt={12} mb={12}>
            <FileButton accept=".csv,.txt,text/csv,text/plain" onChoose={open}>
              <Trans>Choose a file</Trans>
            </FileButton>
          </Text>
          {preview.problem}
          {answer && <span ref={scrollTo} />}
          {answer && off && answer.rows.length === 0 && (
            <p role="status">
              <Trans>The weekly offs are saved, without holidays.</Trans>
            </p>
          )}
          {answer && answer.rows.length > 0 && (
            <ImportPreview answer={answer} remedy={<Trans>Correct the rows and try again.</Trans>}>
              {answer.warnings.map((words) => (
                <p key={words.id} className="warning">
                  {translate(words)}
                </p>
              ))}
            </ImportPreview>
          )}
          <DialogButtons>
            <Button onClick={close}>
              <Trans>Cancel</Trans>
            </Button>
            {isReady ? (
              <Button kind="main" isBusy={isBusy} onClick={() => enter(close)}>
                {off ? <Trans>Save</Trans> : <Plural value={todo} one="Import # holiday" other="Import # holidays" />}
              </Button>
            ) : (
              <Button kind="main" isBusy={isBusy} onClick={() => look(async () => text)}>
                <Trans>Preview</Trans>
              </Button>
            )}
          </DialogButtons>
        </>
      )}
    </SideDialog>
  );
}

/** The preview is below the list, out of sight. */
const scrollTo = (rows: HTMLElement | null) => rows?.scrollIntoView?.({ block: 'center' });

/** 2026-10-20 as 20-10-2026, as the list is typed. */
const showDay = (day: string) => day.split('-').reverse().join('-');
