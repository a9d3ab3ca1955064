import { Plural, Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { riderApi } from '../contract/rider.ts';
import { AssignForm } from './AssignForm.tsx';

/** Students who asked for the bus on the admission form and have no seat. */
export function WishesNotice({ mayAssign }: { mayAssign: boolean }) {
  const { data } = useRead(riderApi.wishes, {});
  const [isAssigning, setAssigning] = useState(false);
  const students = data?.students ?? [];
  if (students.length === 0) return null;
  return (
    <Notice as="div">
      <details>
        <summary>
          <Plural
            value={students.length}
            one="# student asked for the bus and has no seat"
            other="# students asked for the bus and have no seat"
          />
        </summary>
        <ul>
          {students.map(({ id, name, section }) => (
            <li key={id}>{[name, section].filter(Boolean).join(', ')}</li>
          ))}
        </ul>
        {mayAssign && (
          <div className="summary-buttons">
            <Button onClick={() => setAssigning(true)}>
              <Trans>Assign them</Trans>
            </Button>
          </div>
        )}
      </details>
      {isAssigning && <AssignForm students={students} onClose={() => setAssigning(false)} />}
    </Notice>
  );
}
