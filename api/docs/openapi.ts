import type { Hono } from 'hono';
import { generateSpecs } from 'hono-openapi';
import { marketName } from '../../locales/index.ts';
import { type AppEnv, accessOf } from '../http/route.ts';
import type { Env } from '../ops/env.ts';
import { slotCount } from '../shared/slots.ts';
import { refusalsOf, type SecurityScheme, securityOf, securitySchemes } from './security.ts';

/** The part of JSON Schema that the product uses. */
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
  /** Any one is enough; an empty object allows callers without credentials. */
  security: Record<string, string[]>[];
  parameters?: { in: string; name: string; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
export type OpenApi = {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    securitySchemes: Record<string, SecurityScheme>;
  };
};

const refused: Content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const text = { type: 'string' } as const;

/** Builds the OpenAPI 3.1 document from the routes; /api/docs shows it. */
export async function openApi(app: Hono<AppEnv>, { PUBLIC_URL, publicUrl }: Env): Promise<OpenApi> {
  // Without a public address only the reader's own is certain.
  const server = PUBLIC_URL
    ? { url: publicUrl }
    : { url: '/', description: 'The server that answers this document' };
  const document = (await generateSpecs(app, {
    // Otherwise paths with a dot or a star are left out as static files.
    excludeStaticFile: false,
    documentation: {
      info: {
        title: marketName(),
        version: '1',
        description: `A bilingual market of ${slotCount} time-limited stalls.`,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [server],
      components: {
        securitySchemes: securitySchemes(publicUrl) as never,
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
                    items: {
                      type: 'object',
                      required: ['path', 'code', 'message'],
                      properties: { path: text, code: text, message: text },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  })) as unknown as OpenApi;
  const declarations = new Map(
    app.routes
      .map(
        (entry) =>
          [
            `${entry.method} ${entry.path.replaceAll(/:(\w+)/g, '{$1}')}`,
            accessOf(entry.handler),
          ] as const,
      )
      .filter(([, access]) => access),
  );
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const access = declarations.get(`${method.toUpperCase()} ${path}`);
      if (!access)
        throw new Error(`The OpenAPI document holds an undeclared route: ${method} ${path}`);
      operation.security = securityOf(access);
      // Replaces the library's own shape of input errors.
      const descriptions = refusalsOf({
        ...access,
        method,
        path,
        takesInput: 400 in operation.responses,
      });
      for (const [status, description] of Object.entries(descriptions))
        operation.responses[status] = { description, content: refused };
    }
  }
  return document;
}
