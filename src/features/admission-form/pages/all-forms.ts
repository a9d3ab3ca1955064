import { additionalInfoApi } from '../contract/additional-info.ts';
import { basicInfoApi } from '../contract/basic-info.ts';
import { documentApi } from '../contract/document.ts';
import { educationApi } from '../contract/education.ts';
import { healthApi } from '../contract/health.ts';
import { languageApi } from '../contract/language.ts';
import { parentInfoApi } from '../contract/parent-info.ts';

/** The forms of all pages, for the last one, which lists remarks about any of them. */
export const allForms = [
  basicInfoApi.save,
  parentInfoApi.save,
  educationApi.add,
  healthApi.save,
  additionalInfoApi.save,
  documentApi.add,
  languageApi.submit,
];
