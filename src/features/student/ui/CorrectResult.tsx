import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { correctResultApi } from '../contract/correct-result.ts';
import type { StudentHead } from '../contract/record.ts';
import { TextLines } from '../pages/TextLines.tsx';

interface Props {
  head: Pick<StudentHead, 'id' | 'name'>;
  onClose: () => void;
}

/** Corrects what the end of a year decided about a student, such as after a re-test, after a preview of what follows. */
export function CorrectResult({ head: { id, name }, onClose }: Props) {
  const { t } = useLingui();
  const known = useRead(correctResultApi.read, { id });
  return (
    <SideDialog title={t`Correct a result of ${name}`} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={known}>
          {({ result }) => {
            if (!result)
              return (
                <Notice>
                  <Trans>No result of this student can be corrected now.</Trans>
                </Notice>
              );
            if (result.isAsked)
              return (
                <Notice>
                  <Trans>A correction is waiting for the principal already.</Trans>
                </Notice>
              );
            const form = { id, name, result, close };
            return result.isRetest ? <Retest {...form} /> : <Form {...form} />;
          }}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

interface FormProps {
  id: number;
  name: string;
  result: NonNullable<OutputOf<typeof correctResultApi.read>['result']>;
  close: () => void;
}

/** A re-test whose result is missing: it confirms what the end of the year wrote, or corrects it. */
function Retest(form: FormProps) {
  const { year, was } = form.result;
  const [remains, setRemains] = useState<boolean>();
  if (remains !== undefined) return remains ? <Confirm {...form} /> : <Form {...form} />;
  const old = translateOption(was);
  const isIn = was === 'Promoted';
  return (
    <>
      <p>
        <Trans>
          {year}: {old}. The result of the re-test is missing.
        </Trans>
      </p>
      <Row gap={8} wrap>
        <Button onClick={() => setRemains(isIn)}>
          <Trans>Passed…</Trans>
        </Button>
        <Button onClick={() => setRemains(!isIn)}>
          <Trans>Failed…</Trans>
        </Button>
      </Row>
    </>
  );
}

function Confirm({ id, name, result: { yearId, year, was }, close }: FormProps) {
  const { t } = useLingui();
  const toast = useToast();
  const word = translateOption(was);
  return (
    <>
      <p>
        <Trans>
          {year}: {word}. {name} remains in the present class.
        </Trans>
      </p>
      <ApiForm
        endpoint={correctResultApi.confirm}
        label={t`Result of the re-test of ${name}`}
        initial={{ reason: was === 'Promoted' ? t`Passed the re-test` : t`Failed the re-test` }}
        hiddenValues={{ id, yearId, result: was }}
        onDone={() => {
          close();
          toast({ kind: 'success', title: t`The result of ${name} was saved.` });
        }}
        buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />}
      >
        <TextField name="reason" />
      </ApiForm>
    </>
  );
}

function Form({ id, name, result, close }: FormProps) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(correctResultApi.correct);
  const { yearId, year, next, firstDay, needsSecond, leadsTo } = result;
  const [was, to] = [translateOption(result.was), translateOption(result.to)];
  if (!leadsTo)
    return (
      <Notice>
        <Trans>
          {year} was the last class. Use Leave… of the record, with the last day of {year}.
        </Trans>
      </Notice>
    );
  const { was: old = '', becomes = '', from = '', also = [], blocks = [] } = preview.shown?.answer ?? {};
  const isBlocked = blocks.length > 0;
  const day = from && showDate(from);
  return (
    <>
      <p>
        <Trans>
          {year}: {was} becomes {to}. In {next} the student is then in {leadsTo}; marks taken so far count once.
        </Trans>
      </p>
      {needsSecond && (
        <Notice>
          <Trans>{year} is closed, so the principal decides.</Trans>
        </Notice>
      )}
      <ApiForm
        endpoint={correctResultApi.correct}
        label={t`Correct a result of ${name}`}
        initial={{ from: firstDay, sectionId: '', reason: '' }}
        hiddenValues={{ id, yearId, to: result.to }}
        onDone={(answer, input) => preview.take(input, answer)}
        buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
      >
        <DateField name="from" hint={<Trans>By default the first day of the student in {next}.</Trans>} />
        <SelectField
          name="sectionId"
          placeholder={t`Assign a section later`}
          options={result.sections.map(({ id: sectionId, name: section, strength, capacity }) => ({
            value: String(sectionId),
            label: t`${section}: ${strength} of ${capacity} seats taken`,
          }))}
        />
        <TextField name="reason" />
      </ApiForm>
      {preview.shown && <Unsaved />}
      <PreviewDialog
        preview={preview}
        title={isBlocked ? t`The result can’t be corrected yet` : t`${year}: ${was} becomes ${to}`}
        details={<TextLines lines={isBlocked ? blocks : also} />}
        confirm={needsSecond ? <Trans>Ask the principal</Trans> : <Trans>Correct the result</Trans>}
        onApplied={(answer) => {
          close();
          toast({
            kind: 'success',
            title: answer.needsSecond ? t`The principal was asked.` : t`The result of ${name} was corrected.`,
          });
        }}
      >
        {isBlocked ? (
          <Trans>Fix this first:</Trans>
        ) : (
          <Trans>
            {name} moves from {old} to {becomes} from {day}. The family gets one message.
          </Trans>
        )}
      </PreviewDialog>
    </>
  );
}
