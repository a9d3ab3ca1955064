import { useLingui } from '@lingui/react/macro';
import { call } from '#kit/browser/data/call.ts';
import { FileImport } from '#kit/browser/import/FileImport.tsx';
import { enteredOf, isActiveLabel, type Master } from '#kit/contract/master.ts';
import { said } from '../text.ts';

interface Props {
  master: Master;
  onClose: () => void;
  onDone: () => Promise<unknown>;
}

/** Takes a file of a master's rows. */
export function MasterImport({ master, ...more }: Props) {
  const { t } = useLingui();
  return (
    <FileImport
      title={t`Import ${said(master.many)}`}
      heads={[...enteredOf(master).map(([, { label }]) => label), isActiveLabel]}
      name={master.many}
      send={(file, expected) => call(master.api.import, { file, expected }, { key: crypto.randomUUID() })}
      {...more}
    />
  );
}
