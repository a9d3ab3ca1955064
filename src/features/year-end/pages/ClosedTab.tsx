import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translate } from '#kit/browser/text.ts';
import { ActRow, ActRows } from '#kit/browser/ui/ActRow.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { yearEndApi } from '../contract/year-end.ts';

/** The years that were closed and reopened, with what stood open then. An Admin reopens the last one. */
export function ClosedTab() {
  const { t } = useLingui();
  const found = useRead(yearEndApi.closed, {});
  const mayReopen = useMay(yearEndApi.reopen);
  const [isReopening, setReopening] = useState(false);
  return (
    <QueryBoundary query={found}>
      {({ events, last }) => (
        <>
          {last && mayReopen && (
            <Row justify="end" mb={8}>
              <Button onClick={() => setReopening(true)}>
                <Trans>Reopen {last.name}…</Trans>
              </Button>
            </Row>
          )}
          {events.length === 0 ? (
            <EmptyState message={<Trans>No year was closed yet.</Trans>} />
          ) : (
            <ActRows>
              {events.map(({ id, year, kind, at, by, reason, open }) => {
                const on = showMoment(at);
                const left = open.map((line) => `${translate(line.title)}: ${line.open}`).join(', ');
                return (
                  <ActRow
                    key={id}
                    title={year}
                    about={kind === 'Closed' ? t`closed on ${on} by ${by}` : t`reopened on ${on} by ${by}`}
                    detail={reason || (left && t`Left open: ${left}`)}
                    detailTitle={reason || left}
                  />
                );
              })}
            </ActRows>
          )}
          {last && isReopening && (
            <RecordForm
              title={t`Reopen ${last.name}`}
              about={t`It can be changed again until it is closed. The current year remains the same.`}
              endpoint={yearEndApi.reopen}
              initial={{ reason: '' }}
              hiddenValues={{ id: last.id }}
              words={<Trans>Reopen</Trans>}
              saved={t`${last.name} is open again.`}
              onClose={() => setReopening(false)}
            >
              <TextField name="reason" />
            </RecordForm>
          )}
        </>
      )}
    </QueryBoundary>
  );
}
