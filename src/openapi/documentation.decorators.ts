import type * as Swagger from '@nestjs/swagger';

/**
 * The decorators of `@nestjs/swagger` for routes and fields. They wait for {@link decorate}, because only the document
 * needs them: the library and its dependencies are 540 modules, a tenth of a start.
 */
export const ApiConsumes = later('ApiConsumes');
export const ApiCreatedResponse = later('ApiCreatedResponse');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiExtension = later('ApiExtension');
export const ApiNoContentResponse = later('ApiNoContentResponse');
export const ApiOkResponse = later('ApiOkResponse');
export const ApiOperation = later('ApiOperation');
export const ApiProperty = later('ApiProperty');
export const ApiPropertyOptional = later('ApiPropertyOptional');
export const ApiTags = later('ApiTags');

type Library = typeof Swagger;
type DecoratorName = { [Name in keyof Library]: Name extends `Api${string}` ? Name : never }[keyof Library];
type Factory = (...options: unknown[]) => (...target: unknown[]) => void;

/** In the order in which the decorators were applied. */
const waiting: ((library: Library) => void)[] = [];

function later<Name extends DecoratorName>(name: Name): Library[Name] {
  const factory: Factory =
    (...options) =>
    (...target) => {
      waiting.push((library) => (library[name] as Factory)(...options)(...target));
    };
  return factory as Library[Name];
}

/** Applies the decorators of all classes that are loaded. */
export function decorate(library: Library): void {
  for (const apply of waiting.splice(0)) apply(library);
}
