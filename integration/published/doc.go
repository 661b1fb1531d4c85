// Package published installs what others will install. Its tests copy the project to a module path with
// a host (integration/module.sh), publish the copy on a disk as registries do, and use it from empty
// folders. It is a module of its own, for the library that packs modules.
package published
