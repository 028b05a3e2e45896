import type { Hono } from 'hono';
import { generateSpecs } from 'hono-openapi';
import type { AppEnv } from '../core/http.ts';

/** A JSON schema, as far as the product's own schemas use it. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  additionalProperties?: boolean | JsonSchema;
  $ref?: string;
};
type Content = Record<string, { schema: JsonSchema }>;
export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: { in: string; name: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
export type OpenApi = {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

const refused: Content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const text = { type: 'string' } as const;

/** The OpenAPI 3.1 document, from the schemas that the doors themselves use. A person reads it at /api/docs. */
export async function openApi(app: Hono<AppEnv>, url: string): Promise<OpenApi> {
  const document = (await generateSpecs(app, {
    // A dot or a star in a path makes it no static file here: every route is listed.
    excludeStaticFile: false,
    documentation: {
      info: { title: 'Marché 54', version: '1', description: 'A bilingual market of fifty-four time-limited stalls.' },
      servers: [{ url }],
      components: {
        schemas: {
          Error: {
            type: 'object',
            required: ['error'],
            properties: {
              error: {
                type: 'object',
                required: ['code', 'message', 'requestId'],
                properties: {
                  code: text,
                  message: text,
                  requestId: text,
                  details: { type: 'object' },
                  fields: {
                    type: 'array',
                    items: { type: 'object', required: ['path', 'code', 'message'], properties: { path: text, code: text, message: text } },
                  },
                },
              },
            },
          },
        },
      },
    },
  })) as unknown as OpenApi;
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    // The library writes its own shape for wrong input; ours is the one shape of every refusal.
    if (operation.responses[400]) operation.responses[400] = { description: 'Wrong input: a sentence for each field', content: refused };
  }
  return document;
}
